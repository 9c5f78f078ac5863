import { useLocation } from 'wouter-preact';
import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { Id } from '../../shared/ui/Facts';
import { Moment, Money } from '../../shared/ui/Figures';
import { omitUndefined } from '../api/omitUndefined';
import { type Column, type ListDefinition, pageOfConnection, windowOf } from '../lists/definition';
import { ListPage } from '../lists/ListPage';
import { spanOf } from '../lists/span';
import { metadataFilter, metadataIn } from '../metadata/filter';
import { metadataOf } from '../metadata/metadata';
import { ActionButton, type Values } from '../ui/ActionButton';
import { fullName } from '../ui/names';
import { addressOf, customerFields } from './customerFields';
import { CREATE_CUSTOMER, CUSTOMERS, type CustomerRow } from './operations';
import { t } from './texts';

const balanceOf = ({ requires_account, balance }: CustomerRow): number | undefined =>
  requires_account ? balance : undefined;

const columns: Column<CustomerRow>[] = [
  { key: 'name', name: t.name, cell: fullName, text: fullName },
  { key: 'email', name: t.email, cell: ({ email }) => email, text: ({ email }) => email },
  {
    key: 'phone',
    name: t.phone,
    cell: ({ phone_number }) => phone_number,
    text: ({ phone_number }) => phone_number,
  },
  {
    key: 'balance',
    name: t.balance,
    cell: row => balanceOf(row) !== undefined && <Money amount={row.balance} />,
    text: balanceOf,
    isNumber: true,
  },
  {
    key: 'created',
    name: t.created,
    cell: ({ creation_date }) => <Moment at={creation_date} />,
    text: ({ creation_date }) => creation_date,
  },
  {
    key: 'external',
    name: t.external,
    cell: ({ external_id }) => external_id,
    text: ({ external_id }) => external_id,
    isFurther: true,
  },
  { key: 'id', name: t.id, cell: ({ id }) => <Id id={id} />, text: ({ id }) => id, isFurther: true },
];

const list: ListDefinition<CustomerRow> = {
  path: '/customers',
  title: t.title,
  about: t.about,
  columns,
  filters: [
    { key: 'name', name: t.name, kind: 'text' },
    { key: 'email', name: t.email, kind: 'text' },
    { key: 'external', name: t.external, kind: 'text' },
    { key: 'created', name: t.created, kind: 'days' },
    metadataFilter,
  ],
  keyOf: ({ id }) => id,
  href: ({ id }) => `/customers/${id}`,
  load: async ({ name, email, external, created, metadata }, page, signal) => {
    const variables = omitUndefined({ name, email, external, metadata: metadataIn(metadata), ...spanOf(created) });
    const answer = await ask(CUSTOMERS, { ...variables, ...windowOf(page) }, { signal });
    return pageOfConnection(required(answer.customers));
  },
};

export function CustomersList() {
  const [, navigate] = useLocation();
  const create = async (values: Values, key: string) => {
    const customer = {
      ...omitUndefined({
        last_name: values.last_name || undefined,
        phone_number: values.phone_number || undefined,
        external_id: values.external_id || undefined,
        customer_address: addressOf(values),
        metadata: metadataOf(values),
      }),
      name: values.name ?? '',
      email: values.email ?? '',
      requires_account: values.requires_account === 'true',
    };
    const { createCustomer } = await ask(CREATE_CUSTOMER, { customer }, { key });
    navigate(`/customers/${required(createCustomer).id}`);
    return t.made;
  };
  const action = (
    <ActionButton
      label={t.create}
      kind="primary"
      fields={[
        ...customerFields(),
        { name: 'external_id', label: t.optional(t.external), isOptional: true },
        { name: 'requires_account', label: t.account, type: 'checkbox' },
      ]}
      run={create}
    />
  );
  return <ListPage of={list} action={action} />;
}
