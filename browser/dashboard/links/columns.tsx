import { formatMoney } from '../../shared/format';
import { Chip } from '../../shared/ui/Chip';
import { Id } from '../../shared/ui/Facts';
import { Money } from '../../shared/ui/Figures';
import { methodName } from '../charges/texts';
import { momentColumn, textColumn } from '../lists/columns';
import type { Column } from '../lists/definition';
import { planLabel } from '../plans/terms';
import { fullName } from '../ui/names';
import type { LinkRow } from './operations';
import { t } from './texts';

export const LinkChip = ({ status }: Pick<LinkRow, 'status'>) => <Chip status={status} name={t.states[status]} />;

export const linkLabel = ({ description, plan, kind }: LinkRow): string =>
  description || (plan ? planLabel(plan) : t.kinds[kind]);

/** Whether each payer gets a link of their own. */
export const isShared = ({ parent_id, reusable, kind, amount, customer_id }: LinkRow): boolean =>
  !parent_id && (reusable || (kind === 'payment' ? amount == null : !customer_id));

/** `$ 5.000 – $ 500.000`, if the payer enters the amount. */
export const amountRange = ({ min_amount, max_amount }: LinkRow): string | undefined =>
  min_amount == null || max_amount == null ? undefined : `${formatMoney(min_amount)} – ${formatMoney(max_amount)}`;

export const linkAmount = ({ amount, plan, quantity }: LinkRow): number | undefined =>
  amount ?? (plan ? plan.amount * (quantity ?? 1) : undefined);

export const customerOf = ({ customer, customer_id }: LinkRow): string | undefined =>
  customer ? fullName(customer) : customer_id ? t.gone : undefined;

export const methodsOf = ({ methods }: LinkRow): string => methods.map(methodName).join(', ');

export const linkColumns: readonly Column<LinkRow>[] = [
  textColumn('what', t.what, linkLabel),
  textColumn('kind', t.kind, ({ kind }) => t.kinds[kind]),
  {
    key: 'amount',
    name: t.amount,
    cell: row => {
      const amount = linkAmount(row);
      return amount !== undefined && <Money amount={amount} />;
    },
    text: linkAmount,
    isNumber: true,
  },
  { key: 'status', name: t.status, cell: row => <LinkChip {...row} />, text: ({ status }) => status },
  textColumn('customer', t.customer, customerOf),
  momentColumn('expires', t.expires, ({ expires_at }) => expires_at),
  momentColumn('created', t.created, ({ creation_date }) => creation_date),
  textColumn('methods', t.methods, methodsOf, { isFurther: true }),
  textColumn('order', t.order, ({ order_id }) => order_id, { isFurther: true }),
  textColumn('email', t.sentTo, ({ email }) => email, { isFurther: true }),
  textColumn('url', t.url, ({ url }) => url, { isFurther: true }),
  { key: 'id', name: t.id, cell: ({ id }) => <Id id={id} />, text: ({ id }) => id, isFurther: true },
];

export const linksOfCustomer = linkColumns.filter(({ key }) =>
  ['what', 'amount', 'status', 'expires', 'created'].includes(key),
);

export const columnsOfUses = ['created', 'amount', 'status', 'customer'].flatMap(name =>
  linkColumns.filter(({ key }) => key === name),
);
