/** The dialogs that create a payment link: for any use, or for a payment, also of a known customer. */
import { useLocation } from 'wouter-preact';
import { type ChargeMethodName, METHOD_NAMES, METHODS } from '../../../src/payments/methods/methods';
import { asEntered } from '../../shared/api/amounts';
import { ask, Problem } from '../../shared/api/ask';
import type { VariablesOf } from '../../shared/api/graphql';
import { required } from '../../shared/api/required';
import { useQuery } from '../api/useQuery';
import { ivaField } from '../charges/iva';
import { methodName } from '../charges/texts';
import { planLabel, planTerms } from '../plans/terms';
import { ActionButton, type Field, type Values } from '../ui/ActionButton';
import { fullName } from '../ui/names';
import {
  CREATE_LINK,
  CUSTOMERS_BY_EMAIL,
  FIND_CUSTOMERS,
  type LinkRow,
  PLAN_CHOICES,
  type PlanChoice,
} from './operations';
import { t } from './texts';

type Kind = LinkRow['kind'];
/** A kind, and by how many payers it is used. */
type Use = keyof typeof t.newKinds;
const KINDS: Record<Use, Kind> = {
  ...{ payment: 'payment', reusable: 'payment', open: 'payment', card: 'card' },
  ...{ subscription: 'subscription', plan: 'subscription' },
};
const REUSABLE: readonly Use[] = ['reusable', 'open', 'plan'];
type NewLinkInput = VariablesOf<typeof CREATE_LINK>['link'];

/** Minimum length of a search. */
const MIN_CHARACTERS = 3;

const suggestCustomers = async (text: string, signal: AbortSignal): Promise<[string, string][]> => {
  if (text.length < MIN_CHARACTERS) return [];
  const { search } = await ask(FIND_CUSTOMERS, { text }, { signal });
  return (search ?? []).flatMap(({ record }): [string, string][] =>
    record.__typename === 'Customer' ? [[record.email, fullName(record)]] : [],
  );
};

async function customerByEmail(email: string): Promise<string> {
  const { customers } = await ask(CUSTOMERS_BY_EMAIL, { email });
  const [first, second] = required(customers).nodes;
  if (first && !second) return first.id;
  throw new Problem(first ? t.severalCustomers : t.unknownCustomer, undefined, undefined, 'customer_id');
}

const methodsField = (methods: ChargeMethodName[] = METHOD_NAMES): Field => ({
  name: 'methods',
  label: t.methods,
  type: 'choices',
  value: methods.join(),
  options: methods.map(name => [name, methodName(name)]),
  hint: t.methodsHint,
});
const amountField: Field = { name: 'amount', label: t.amount, type: 'amount' };
const whatField: Field = { name: 'description', label: t.what };
const orderField: Field = { name: 'order_id', label: t.optionalOrder, isOptional: true, isFurther: true };
const rangeFields: Field[] = [
  { name: 'min_amount', label: t.minAmount, type: 'amount', value: 5000 },
  { name: 'max_amount', label: t.maxAmount, type: 'amount', value: 500_000 },
  { name: 'suggested_amounts', label: t.optionalSuggested, hint: t.suggestedHint, isOptional: true },
];
const maxPaymentsField: Field = {
  ...{ name: 'max_payments', label: t.optionalMaxPayments, type: 'number' },
  ...{ hint: t.maxPaymentsHint, isOptional: true, isFurther: true },
};
const termFields: Field[] = [
  { name: 'accepts_coupons', label: t.acceptsCoupons, type: 'checkbox' },
  { name: 'quantity', label: t.optionalQuantity, type: 'number', isOptional: true, isFurther: true },
  { name: 'coupon', label: t.optionalCoupon, isOptional: true, isFurther: true },
];

const endFields: Field[] = [
  { name: 'expires_at', label: t.lastDay, type: 'date', hint: t.lastDayHint, isOptional: true, isFurther: true },
  { name: 'redirect_url', label: t.optionalBack, type: 'url', hint: t.backHint, isOptional: true, isFurther: true },
];

const only = (fields: readonly Field[], ...kinds: Use[]): Field[] =>
  fields.map(field => ({ ...field, onlyWith: ['kind', ...kinds] }));

const customerField: Field = {
  name: 'customer_id',
  label: t.customerEmail,
  type: 'email',
  hint: t.findHint,
  suggest: suggestCustomers,
};
const optionalCustomerField: Field = {
  ...customerField,
  label: t.optionalCustomerEmail,
  hint: t.customerHint,
  isOptional: true,
  isFurther: true,
};

/** Fields of other kinds are not in the form. */
const inputOf = (use: Use, values: Values, customer_id: string | undefined): NewLinkInput => {
  const { amount, min_amount, max_amount, suggested_amounts, description, iva, methods } = values;
  const { order_id, plan_id, expires_at, redirect_url, max_payments, quantity, coupon, accepts_coupons } = values;
  const kind = KINDS[use];
  return {
    kind,
    ...(REUSABLE.includes(use) && { reusable: true }),
    ...(max_payments && { max_payments: Number(max_payments) }),
    ...(customer_id && { customer_id }),
    ...(plan_id && { plan_id }),
    ...(quantity && { quantity: Number(quantity) }),
    ...(coupon && { coupon }),
    ...(accepts_coupons && { accepts_coupons: true }),
    ...(description && { description }),
    ...(amount !== undefined && { amount: asEntered(amount) }),
    ...(min_amount !== undefined && { min_amount: asEntered(min_amount), max_amount: asEntered(max_amount) }),
    ...(suggested_amounts && { suggested_amounts: wholePesosIn(suggested_amounts) }),
    ...(kind === 'payment' && { iva: iva ?? '' }),
    ...(methods && { methods: methods.split(',') as LinkRow['methods'] }),
    ...(order_id && { order_id }),
    ...(expires_at && { expires_at }),
    ...(redirect_url && { redirect_url }),
  };
};

/** `20.000, 50.000`. The API reports what is not a number. */
const wholePesosIn = (text: string): number[] =>
  text
    .split(/[,;\s]+/)
    .filter(Boolean)
    .map(amount => Number(amount.replaceAll('.', '')));

function useCreation() {
  const [, navigate] = useLocation();
  return async (use: Use, values: Values, customer: string | undefined, key: string): Promise<string> => {
    const { createPaymentLink } = await ask(CREATE_LINK, { link: inputOf(use, values, customer) }, { key });
    navigate(`/links/${required(createPaymentLink).id}`);
    return t.made;
  };
}

const resolveCustomer = async ({ customer_id }: Values): Promise<string | undefined> =>
  customer_id ? customerByEmail(customer_id) : undefined;

/** A link for a payment, by the customer of the page or by any payer. */
export function NewPaymentLink({ customer }: { customer?: { id: string; requires_account: boolean } }) {
  const create = useCreation();
  const methods = METHOD_NAMES.filter(method => !(customer?.requires_account && METHODS[method].creditsMerchant));
  return (
    <ActionButton
      label={t.create}
      kind={customer ? 'plain' : 'primary'}
      question={t.hints.payment}
      fields={[
        ...[amountField, whatField, ivaField, methodsField(methods), orderField],
        ...(customer ? [] : [optionalCustomerField]),
        ...endFields,
      ]}
      run={async (values, key) => create('payment', values, customer?.id ?? (await resolveCustomer(values)), key)}
    />
  );
}

export function NewLink() {
  const create = useCreation();
  const plans = useQuery(PLAN_CHOICES, {}).data?.plans?.nodes ?? [];
  const kinds = Object.entries(t.newKinds).filter(([use]) => KINDS[use as Use] !== 'subscription' || plans.length > 0);
  return (
    <ActionButton
      label={t.create}
      kind="primary"
      describe={selects => ({ question: hintOf(selects, plans), button: t.create })}
      fields={[
        { name: 'kind', label: t.kind, type: 'select', options: kinds },
        ...only([customerField], 'card', 'subscription'),
        ...only(
          [
            {
              name: 'plan_id',
              label: t.plan,
              type: 'select',
              options: plans.map(plan => [plan.id, planLabel(plan)]),
            },
          ],
          'subscription',
          'plan',
        ),
        ...only(termFields, 'plan'),
        ...only([amountField], 'payment', 'reusable'),
        ...only(rangeFields, 'open'),
        ...only([whatField, ivaField, methodsField()], 'payment', 'reusable', 'open'),
        ...only([orderField, optionalCustomerField], 'payment'),
        ...only(
          [{ name: 'description', label: t.optionalDescription, isOptional: true, isFurther: true }],
          'card',
          'subscription',
          'plan',
        ),
        ...only([maxPaymentsField], 'reusable', 'open', 'plan'),
        ...endFields,
      ]}
      run={async (values, key) => create(values.kind as Use, values, await resolveCustomer(values), key)}
    />
  );
}

function hintOf({ kind, plan_id }: Values, plans: readonly PlanChoice[]): string {
  const plan = plans.find(({ id }) => id === plan_id);
  if (kind === 'subscription') return plan ? t.subscriptionHint(planTerms(plan)) : '';
  if (kind === 'plan') return plan ? t.planHint(planTerms(plan)) : '';
  return t.hints[(kind ?? 'payment') as keyof typeof t.hints];
}
