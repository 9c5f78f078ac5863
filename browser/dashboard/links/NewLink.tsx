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

const paymentFields = (methods: ChargeMethodName[] = METHOD_NAMES): Field[] => [
  { name: 'amount', label: t.amount, type: 'amount' },
  { name: 'description', label: t.what },
  ivaField,
  {
    name: 'methods',
    label: t.methods,
    type: 'choices',
    value: methods.join(),
    options: methods.map(name => [name, methodName(name)]),
    hint: t.methodsHint,
  },
  { name: 'order_id', label: t.optionalOrder, isOptional: true, isFurther: true },
];

const endFields: Field[] = [
  { name: 'expires_at', label: t.lastDay, type: 'date', hint: t.lastDayHint, isOptional: true, isFurther: true },
  { name: 'redirect_url', label: t.optionalBack, type: 'url', hint: t.backHint, isOptional: true, isFurther: true },
];

const only = (fields: readonly Field[], ...kinds: Kind[]): Field[] =>
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
const inputOf = (kind: Kind, values: Values, customer_id: string | undefined): NewLinkInput => {
  const { amount, description, iva, methods, order_id, plan_id, expires_at, redirect_url } = values;
  return {
    kind,
    ...(customer_id && { customer_id }),
    ...(plan_id && { plan_id }),
    ...(description && { description }),
    ...(kind === 'payment' && { amount: asEntered(amount), iva: iva ?? '' }),
    ...(methods && { methods: methods.split(',') as LinkRow['methods'] }),
    ...(order_id && { order_id }),
    ...(expires_at && { expires_at }),
    ...(redirect_url && { redirect_url }),
  };
};

function useCreation() {
  const [, navigate] = useLocation();
  return async (kind: Kind, values: Values, customer: string | undefined, key: string): Promise<string> => {
    const { createPaymentLink } = await ask(CREATE_LINK, { link: inputOf(kind, values, customer) }, { key });
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
      fields={[...paymentFields(methods), ...(customer ? [] : [optionalCustomerField]), ...endFields]}
      run={async (values, key) => create('payment', values, customer?.id ?? (await resolveCustomer(values)), key)}
    />
  );
}

export function NewLink() {
  const create = useCreation();
  const plans = useQuery(PLAN_CHOICES, {}).data?.plans?.nodes ?? [];
  const kinds = Object.entries(t.kinds).filter(([kind]) => kind !== 'subscription' || plans.length > 0);
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
        ),
        ...only(paymentFields(), 'payment'),
        ...only([optionalCustomerField], 'payment'),
        ...only(
          [{ name: 'description', label: t.optionalDescription, isOptional: true, isFurther: true }],
          'card',
          'subscription',
        ),
        ...endFields,
      ]}
      run={async (values, key) => create(values.kind as Kind, values, await resolveCustomer(values), key)}
    />
  );
}

function hintOf({ kind, plan_id }: Values, plans: readonly PlanChoice[]): string {
  const plan = plans.find(({ id }) => id === plan_id);
  if (kind === 'subscription') return plan ? t.subscriptionHint(planTerms(plan)) : '';
  return t.hints[kind === 'card' ? 'card' : 'payment'];
}
