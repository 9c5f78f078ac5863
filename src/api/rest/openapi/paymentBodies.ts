/** The forms of charges and bank payments at both levels. */

import { CreateCustomer, CustomerAddressInput } from '../../../payments/customers/fields';
import {
  type ChargeMethodName,
  ISSUED_METHODS,
  METHODS,
  PAYER_ADDRESS_FIELDS,
} from '../../../payments/methods/methods';
import { RETURN_ADDRESS, VISIBLE } from '../../../schema/patterns';
import { ABSENT, type BodyRules, GIVEN, type Level } from './bodyRules';
import { exampleOf } from './examples';
import { type Json, reference } from './json';

const WHOLE_PESOS = { multipleOf: 1 };

const PAYER_ADDRESS = {
  type: 'object',
  required: [...PAYER_ADDRESS_FIELDS],
  properties: Object.fromEntries(PAYER_ADDRESS_FIELDS.map(name => [name, { type: 'string', pattern: VISIBLE }])),
};

const PAYER_EXAMPLE = {
  ...exampleOf(CreateCustomer, ['name', 'last_name', 'email', 'phone_number']),
  requires_account: false,
  customer_address: exampleOf(CustomerAddressInput, PAYER_ADDRESS_FIELDS),
};

/** The payer is in the body at merchant level, and in the path at customer level. */
const payer = (level: Level): BodyRules =>
  level === 'merchant'
    ? { required: ['customer'], properties: { customer: { ...reference('CreateCustomer'), description: 'The payer' } } }
    : { properties: { customer: { ...ABSENT, description: 'Not allowed: the payer is in the path' } } };

function methodRules(method: ChargeMethodName, level: Level): Record<string, Json> {
  const { needsWholePesos, needsPayerAddress, creditsMerchant } = METHODS[method];
  const payerRules = {
    ...(creditsMerchant && { requires_account: { const: false } }),
    ...(needsPayerAddress && { customer_address: PAYER_ADDRESS }),
  };
  const required = Object.keys(payerRules);
  return {
    ...(needsWholePesos && { amount: WHOLE_PESOS }),
    ...(level === 'merchant' && required.length > 0 && { customer: { required, properties: payerRules } }),
  };
}

export const charge = (level: Level): BodyRules => ({
  ...payer(level),
  oneOf: [
    {
      title: 'Saved card or token, charged immediately',
      required: ['source_id', 'device_session_id'],
      properties: {
        method: { const: 'card' },
        confirm: { enum: [true, null] },
        source_id: GIVEN,
        device_session_id: GIVEN,
      },
    },
    {
      title: METHODS.card.title,
      required: ['confirm', 'redirect_url'],
      properties: {
        method: { const: 'card' },
        confirm: { const: false },
        capture: { enum: [true, null] },
        redirect_url: { type: 'string', pattern: RETURN_ADDRESS },
      },
    },
    ...ISSUED_METHODS.map(({ method }) => ({
      title: METHODS[method].title,
      properties: { method: { const: method }, ...methodRules(method, level) },
    })),
  ],
});

export const pse = (level: Level): BodyRules => {
  const { required, properties } = payer(level);
  const addressOrNone = { anyOf: [{ type: 'string', pattern: RETURN_ADDRESS }, ABSENT] };
  return {
    ...(required ? { required } : {}),
    properties: { ...properties },
    allOf: [{ properties: { ...methodRules('bank_account', level), redirect_url: addressOrNone } }],
    ...(level === 'merchant' ? { example: { customer: PAYER_EXAMPLE } } : {}),
  };
};
