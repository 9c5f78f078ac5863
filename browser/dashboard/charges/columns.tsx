/** The columns of charges in all lists. */
import { toCentavos } from '../../shared/format';
import { Chip, statusName } from '../../shared/ui/Chip';
import { Id } from '../../shared/ui/Facts';
import { Moment, Money, Whole } from '../../shared/ui/Figures';
import type { Column } from '../lists/definition';
import { cardName, fullName } from '../ui/names';
import type { ChargeRow } from './operations';
import { reasonName } from './reasons';
import { methodName, t } from './texts';

export const chargeStatusName = (status: string): string => t.status[status] ?? statusName(status);

export const ChargeChip = ({ status }: { status: string }) => <Chip status={status} name={chargeStatusName(status)} />;

const payerOf = ({ payer }: ChargeRow) => payer ?? undefined;
const payerName = (row: ChargeRow): string | undefined => {
  const payer = payerOf(row);
  return payer && fullName(payer);
};
export const chargeLabel = ({ description, id }: ChargeRow): string => description || id;
export const refundedAmount = ({ refunds }: ChargeRow): number =>
  toCentavos((refunds ?? []).reduce((sum, { amount }) => sum + amount, 0));
export const refundableAmount = (charge: ChargeRow): number => toCentavos(charge.amount - refundedAmount(charge));
const costOf = ({ fee }: ChargeRow): number | undefined => (fee ? fee.amount + fee.tax : undefined);
const money = (amount: number | undefined) => (amount ? <Money amount={amount} /> : null);

export const chargeColumns: readonly Column<ChargeRow>[] = [
  { key: 'what', name: t.columns.what, cell: chargeLabel, text: chargeLabel },
  {
    key: 'amount',
    name: t.columns.amount,
    cell: ({ amount }) => <Money amount={amount} />,
    text: ({ amount }) => amount,
    isNumber: true,
  },
  {
    key: 'status',
    name: t.columns.status,
    cell: ({ status }) => <ChargeChip status={status} />,
    text: ({ status }) => status,
  },
  { key: 'payer', name: t.columns.payer, cell: payerName, text: payerName },
  {
    key: 'method',
    name: t.columns.method,
    cell: ({ card, method }) => <Whole>{card ? cardName(card) : methodName(method)}</Whole>,
    text: ({ card, method }) => (card ? cardName(card) : method),
  },
  {
    key: 'reason',
    name: t.columns.reason,
    cell: ({ error }) => error && reasonName(error),
    text: ({ error }) => error,
  },
  {
    key: 'created',
    name: t.columns.created,
    cell: ({ creation_date }) => <Moment at={creation_date} />,
    text: ({ creation_date }) => creation_date,
  },
  {
    key: 'order',
    name: t.columns.order,
    cell: ({ order_id }) => order_id,
    text: ({ order_id }) => order_id,
    isFurther: true,
  },
  {
    key: 'email',
    name: t.columns.email,
    cell: row => payerOf(row)?.email,
    text: row => payerOf(row)?.email,
    isFurther: true,
  },
  {
    key: 'refunded',
    name: t.columns.refunded,
    cell: row => money(refundedAmount(row)),
    text: refundedAmount,
    isNumber: true,
    isFurther: true,
  },
  {
    key: 'cost',
    name: t.columns.cost,
    cell: row => money(costOf(row)),
    text: costOf,
    isNumber: true,
    isFurther: true,
  },
  {
    key: 'iva',
    name: t.iva,
    cell: ({ tax }) => money(tax?.amount),
    text: ({ tax }) => tax?.amount,
    isNumber: true,
    isFurther: true,
  },
  {
    key: 'settled',
    name: t.columns.settled,
    cell: ({ conciliated }) => (conciliated ? t.yes : t.no),
    text: ({ conciliated }) => String(conciliated),
    isFurther: true,
  },
  {
    key: 'authorization',
    name: t.columns.authorization,
    cell: ({ authorization }) => authorization,
    text: ({ authorization }) => authorization,
    isFurther: true,
  },
  { key: 'id', name: t.columns.id, cell: ({ id }) => <Id id={id} />, text: ({ id }) => id, isFurther: true },
];

export const shortChargeColumns = chargeColumns.filter(({ key }) =>
  ['what', 'amount', 'status', 'reason', 'created'].includes(key),
);
