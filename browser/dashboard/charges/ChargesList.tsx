import { ask } from '../../shared/api/ask';
import type { VariablesOf } from '../../shared/api/graphql';
import { required } from '../../shared/api/required';
import { omitUndefined } from '../api/omitUndefined';
import { customerNameOf } from '../customers/nameOf';
import { NewPaymentLink } from '../links/NewLink';
import { type Filters, type ListDefinition, pageOfConnection, windowOf } from '../lists/definition';
import { ListPage } from '../lists/ListPage';
import { amountsOf, spanOf } from '../lists/span';
import { chargeColumns, chargeStatusName } from './columns';
import { CHARGES, type ChargeRow } from './operations';
import { reasonOptions } from './reasons';
import { t } from './texts';

type Status = ChargeRow['status'];
const STATUSES: Status[] = [
  'completed',
  'failed',
  'in_progress',
  'charge_pending',
  'cancelled',
  'refunded',
  'chargeback_pending',
  'chargeback_accepted',
  'chargeback_adjustment',
];

function argumentsOf(filters: Filters): VariablesOf<typeof CHARGES> {
  const { status, order, reason, customer, subscription, kind } = filters;
  const created = spanOf(filters.created);
  const amount = amountsOf(filters.amount);
  return omitUndefined({
    status: status?.split(',') as Status[] | undefined,
    order,
    error: reason === undefined ? undefined : Number(reason),
    from: created.from,
    to: created.to,
    least: amount.from,
    most: amount.to,
    customer,
    subscription,
    type: kind === 'refund' ? (kind as 'refund') : undefined,
  });
}

const list: ListDefinition<ChargeRow> = {
  path: '/charges',
  title: t.title,
  about: t.about,
  columns: chargeColumns,
  filters: [
    {
      key: 'status',
      name: t.columns.status,
      kind: 'choices',
      options: STATUSES.map(status => [status, chargeStatusName(status)]),
    },
    { key: 'created', name: t.columns.created, kind: 'days' },
    { key: 'amount', name: t.columns.amount, kind: 'amounts' },
    { key: 'reason', name: t.columns.reason, kind: 'choice', options: reasonOptions },
    { key: 'order', name: t.columns.order, kind: 'text' },
    { key: 'customer', name: t.filters.customer, kind: 'text', nameOf: customerNameOf },
    { key: 'subscription', name: t.filters.subscription, kind: 'text' },
    { key: 'kind', name: t.filters.kind, kind: 'choice', options: [['refund', t.filters.refunds]] },
  ],
  keyOf: ({ id }) => id,
  href: ({ id }) => `/charges/${id}`,
  load: async (filters, page, signal) => {
    const answer = await ask(CHARGES, { ...argumentsOf(filters), ...windowOf(page) }, { signal });
    return pageOfConnection(required(answer.charges));
  },
  refreshOn: ({ name }) => /^(charge|chargeback|transaction|subscription\.charge)\./.test(name),
};

export const ChargesList = () => <ListPage of={list} action={<NewPaymentLink />} />;
