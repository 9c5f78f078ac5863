/** Schemas of request bodies, with rules across fields. */

import { CreateCoupon } from '../../../billing/coupons/fields';
import { CreatePaymentLink, KIND_FIELDS } from '../../../billing/paymentLinks/createFields';
import { CreateSubscription, UpdateSubscription } from '../../../billing/subscriptions/fields';
import { CreateCard } from '../../../payments/cards/fields';
import { CreateCharge } from '../../../payments/charges/requests';
import { CreateFraudRule } from '../../../payments/fraudRules/fields';
import { KIND_TERMS } from '../../../payments/fraudRules/terms';
import { CreatePse } from '../../../payments/pse/fields';
import { CreateToken } from '../../../payments/tokens/fields';
import { MoveClock } from '../../../sandbox/fields';
import type { Class } from '../../../schema/shapes';
import { ABSENT, type BodyRules, GIVEN, given, type Level } from './bodyRules';
import { card, newSubscription, subscriptionChange, token } from './cardBodies';
import { exampleBody } from './examples';
import type { Json } from './json';
import { charge, pse } from './paymentBodies';
import { objectSchema } from './properties';

const clock = (): BodyRules => ({
  anyOf: [{ properties: { customer_id: ABSENT } }, { properties: { subscription_id: ABSENT } }],
});

const LIST = { type: 'array', minItems: 1 };
const ruleTerms: Record<string, Json> = {
  max: { type: 'integer' },
  minutes: { type: 'integer' },
  amount: { type: 'number' },
  countries: LIST,
  values: LIST,
  key: GIVEN,
};

const words = (values: readonly string[]): Json => ({ type: 'string', enum: values });

const fraudRule = (): BodyRules => ({
  example: { scope: 'card' },
  oneOf: Object.entries(KIND_TERMS).map(([kind, { required, scopes, conditions }]) => ({
    title: `Rule of kind ${kind}`,
    required: kind === 'metadata' ? [...required, 'value'] : required,
    properties: {
      kind: { const: kind },
      ...Object.fromEntries(required.flatMap(name => (ruleTerms[name] ? [[name, ruleTerms[name]]] : []))),
      ...(scopes && { scope: words(scopes) }),
      ...(conditions && { condition: words(conditions) }),
      ...(kind === 'metadata' && { value: GIVEN }),
    },
  })),
});

const amountOf = (isEntered: boolean): Json => ({
  amount: isEntered ? ABSENT : { type: 'number' },
  ...Object.fromEntries(['min_amount', 'max_amount'].map(name => [name, isEntered ? { type: 'number' } : ABSENT])),
  ...(!isEntered && { suggested_amounts: ABSENT }),
});

const linkForms = Object.entries(KIND_FIELDS).flatMap(([kind, fields]) =>
  kind === 'payment'
    ? [
        { kind, ...fields, title: 'Payment of a fixed amount', amounts: ['amount'], properties: amountOf(false) },
        {
          ...{ kind, ...fields, title: 'Payment of an amount that the payer enters' },
          ...{ amounts: ['min_amount', 'max_amount'], properties: amountOf(true) },
        },
      ]
    : [{ kind, ...fields, title: `Link of kind ${kind}`, amounts: [], properties: {} }],
);

const paymentLink = (): BodyRules => ({
  oneOf: linkForms.map(({ kind, required, forbidden, title, amounts, properties }) => ({
    title,
    required: [...amounts, ...required],
    properties: {
      kind: { const: kind },
      ...given([...required]),
      ...properties,
      ...Object.fromEntries(forbidden.map(name => [name, ABSENT])),
      ...(kind !== 'payment' && { methods: { type: ['array', 'null'], items: { const: 'card' } } }),
    },
  })),
});

const coupon = (): BodyRules => ({
  example: { periods: 3 },
  oneOf: [
    {
      title: 'Percentage off',
      required: ['percent_off'],
      properties: { percent_off: { type: 'number', minimum: 1 }, amount_off: ABSENT },
    },
    {
      title: 'Amount off',
      required: ['amount_off'],
      properties: { amount_off: { type: 'number' }, percent_off: ABSENT },
    },
  ],
  anyOf: [
    { required: ['periods'], properties: { duration: { const: 'periods' }, periods: { type: 'integer' } } },
    { properties: { duration: words(['once', 'forever']), periods: ABSENT } },
  ],
});

const forms = new Map<Class, (level: Level) => BodyRules>([
  [CreateCharge, charge],
  [CreatePse, pse],
  [CreateCard, card],
  [CreateToken, token],
  [CreateSubscription, newSubscription],
  [UpdateSubscription, subscriptionChange],
  [MoveClock, clock],
  [CreateFraudRule, fraudRule],
  [CreatePaymentLink, paymentLink],
  [CreateCoupon, coupon],
]);

/** Bodies that differ between merchant and customer level. */
const dependsOnLevel = new Set<Class>([CreateCharge, CreatePse]);

export const schemaName = (type: Class, level: Level): string =>
  level === 'customer' && dependsOnLevel.has(type) ? `${type.name}OfCustomer` : type.name;

export function requestSchema(type: Class, level: Level): Json {
  const form = forms.get(type)?.(level) ?? {};
  const { required = [], properties, example, ...more } = form;
  const fields = objectSchema(type, 'request');
  const allRequired = [...(fields.required ?? []), ...required];
  return {
    ...fields,
    ...(allRequired.length > 0 ? { required: allRequired } : {}),
    properties: { ...fields.properties, ...properties },
    ...more,
    examples: [{ ...exampleBody(type, form), ...example }],
  };
}
