import { Link } from 'wouter-preact';
import { apiAmount } from '../../shared/api/amounts';
import { ask } from '../../shared/api/ask';
import { Chip, statusName } from '../../shared/ui/Chip';
import { momentColumn, moneyColumn, textColumn } from '../lists/columns';
import { type ListDefinition, pageOfConnection, windowOf } from '../lists/definition';
import { ListPage } from '../lists/ListPage';
import { accountName } from './account';
import { PAYOUTS, type PayoutRow } from './operations';
import { RequestPayout } from './RequestPayout';
import { t } from './texts';

const STATUSES = ['in_progress', 'completed', 'failed'] as const;
type Status = (typeof STATUSES)[number];

const payouts: ListDefinition<PayoutRow> = {
  path: '/payouts',
  title: t.title,
  about: t.about,
  filters: [
    { key: 'status', name: t.status, kind: 'choices', options: STATUSES.map(status => [status, statusName(status)]) },
    { key: 'amount_gte', name: t.atLeast, kind: 'amount' },
    { key: 'amount_lte', name: t.atMost, kind: 'amount' },
    { key: 'creation_gte', name: t.from, kind: 'day' },
    { key: 'creation_lte', name: t.to, kind: 'day' },
  ],
  keyOf: ({ id }) => id,
  href: ({ id }) => `/payouts/${id}`,
  refreshOn: ({ name }) => name.startsWith('payout.'),
  load: async ({ status, amount_gte, amount_lte, ...days }, page, signal) => {
    const variables = {
      ...days,
      ...windowOf(page),
      ...(status && { status_in: status.split(',') as Status[] }),
      ...(amount_gte && { amount_gte: apiAmount(amount_gte) }),
      ...(amount_lte && { amount_lte: apiAmount(amount_lte) }),
    };
    const { payouts } = await ask(PAYOUTS, variables, { signal });
    return payouts ? pageOfConnection(payouts) : { rows: [] };
  },
  columns: [
    moneyColumn('amount', t.amount, ({ amount }) => amount, { isNumber: false }),
    {
      key: 'status',
      name: t.status,
      cell: ({ status }) => <Chip status={status} />,
      text: ({ status }) => statusName(status),
    },
    textColumn('account', t.account, ({ bank_account }) => accountName(bank_account)),
    textColumn('description', t.description, ({ description }) => description),
    momentColumn('creation_date', t.created, ({ creation_date }) => creation_date),
    textColumn('order_id', t.order, ({ order_id }) => order_id, { isFurther: true }),
    textColumn('why', t.why, ({ error_message }) => error_message, { isFurther: true }),
    textColumn('id', 'id', ({ id }) => id, { isFurther: true }),
  ],
};

export const Payouts = () => (
  <ListPage
    of={payouts}
    action={reload => (
      <>
        <Link href="/statement" class="button plain">
          {t.statement}
        </Link>
        <RequestPayout done={reload} />
      </>
    )}
  />
);
