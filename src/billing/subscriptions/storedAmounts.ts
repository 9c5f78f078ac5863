/**
 * Amounts within JSON columns are stored as numbers of centavos, which are exact up to the largest amount. The rules
 * compute with 64-bit integers.
 */
import type { BillingState } from './rules/state';

const AMOUNTS = new Set(['amount', 'full_amount', 'discount', 'credit', 'amount_off']);

const fromNumbers = (name: string, value: unknown): unknown =>
  typeof value === 'number' && AMOUNTS.has(name) ? BigInt(value) : value;
const toNumbers = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

function mapMembers(value: unknown, map: (name: string, value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(item => mapMembers(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapMembers(map(name, member), map)]));
}

const withAmounts = <T>(stored: T): T => mapMembers(stored, fromNumbers) as T;
type WithNumbers<T> = T extends bigint ? number : T extends object ? { [K in keyof T]: WithNumbers<T[K]> } : T;
export const withNumbers = <T>(value: T) => mapMembers(value, toNumbers) as WithNumbers<T>;

type WithAmounts = Pick<BillingState, 'open' | 'pending_change' | 'discount' | 'extras' | 'invoice'>;

/** Most subscriptions have none of these. */
export const readAmounts = ({ open, pending_change, discount, extras, invoice }: WithAmounts): WithAmounts => ({
  open: open?.replacement ? withAmounts(open) : open,
  pending_change: pending_change && withAmounts(pending_change),
  discount: discount && withAmounts(discount),
  extras: extras === null ? [] : withAmounts(extras),
  invoice: invoice && withAmounts(invoice),
});

/** The columns of a row as they are stored. */
export const storedRow = <Row extends WithAmounts>({
  open,
  pending_change,
  discount,
  extras,
  invoice,
  ...row
}: Row) => ({
  ...row,
  open: open?.replacement ? withNumbers(open) : open,
  pending_plan_id: pending_change?.terms.plan_id ?? null,
  pending_quantity: pending_change?.quantity ?? null,
  discount: discount && withNumbers(discount),
  extras: extras.length === 0 ? null : withNumbers(extras),
  invoice: invoice && withNumbers(invoice),
});
