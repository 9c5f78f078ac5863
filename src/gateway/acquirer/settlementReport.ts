/**
 * A settlement report: the acquirer's payments and debits of a day, in one or more parts. This file validates its form;
 * its sums and items are matched against the ledger later.
 */
import { ApiError } from '../../platform/errors';

export const SETTLEMENT_TYPES = ['charge', 'refund', 'chargeback', 'payout'] as const;
export type SettlementType = (typeof SETTLEMENT_TYPES)[number];

export interface ReportedItem {
  /** The merchant ID of our requests. */
  merchant: string;
  type: SettlementType;
  /** The idempotency key of our request, which begins with a transaction ID. */
  key: string;
  /** Centavos; positive for payments to us. */
  amount: number;
  date: string;
}

/** Members that every part of a report repeats. */
interface ReportHeader {
  id: string;
  /** yyyy-mm-dd in America/Bogota. */
  day: string;
  /** Creation time by the payer's test clock; absent for the current time. */
  date?: string | undefined;
  parts: number;
  count: number;
  /** Sum of all amounts. */
  total: number;
}

export interface ReportPart extends ReportHeader {
  /** One-based. */
  part: number;
  items: ReportedItem[];
}

export const MAX_PART_ITEMS = 5000;
const MAX_PARTS = 1000;

type MemberCheck = (value: unknown) => boolean;

const isDay: MemberCheck = value => {
  const time = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value as string);
};
const isMoment: MemberCheck = value =>
  typeof value === 'string' &&
  /^\d{4}-\d{2}-\d{2}T[\d:.]{5,18}(Z|[+-]\d{2}:\d{2})$/.test(value) &&
  !Number.isNaN(Date.parse(value));
const isWithin =
  (min: number, max: number): MemberCheck =>
  value =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
const matches =
  (pattern: RegExp): MemberCheck =>
  value =>
    typeof value === 'string' && pattern.test(value);

type Rules<T> = Record<keyof T & string, MemberCheck>;

const headerRules: Rules<ReportPart> = {
  id: matches(/^[\w-]{1,60}$/),
  day: isDay,
  date: value => value === undefined || isMoment(value),
  parts: isWithin(1, MAX_PARTS),
  part: isWithin(1, MAX_PARTS),
  count: isWithin(0, MAX_PARTS * MAX_PART_ITEMS),
  total: Number.isSafeInteger,
  items: value => Array.isArray(value) && value.length <= MAX_PART_ITEMS,
};

const itemRules: Rules<ReportedItem> = {
  merchant: matches(/^[a-z0-9]{1,45}$/),
  type: value => SETTLEMENT_TYPES.some(type => type === value),
  key: matches(/^[a-z0-9][\w-]{0,79}$/),
  amount: value => Number.isSafeInteger(value) && value !== 0,
  date: isMoment,
};

/** Returns only the members of the rules, in their order, so that equal parts are equal as JSON. */
function readMembers<T>(value: unknown, rules: Rules<T>, place: string): T {
  if (typeof value !== 'object' || value === null)
    throw new ApiError('malformed', 'report_not_object', { place: place || 'A report' });
  const members = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries<MemberCheck>(rules).map(([name, isValid]) => {
      const field = `${place}${place && '.'}${name}`;
      if (!isValid(members[name])) throw new ApiError('malformed', 'not_reported', { field });
      return [name, members[name]];
    }),
  ) as T;
}

/** Throws error 1001 for an invalid part. */
export function readReportPart(json: unknown): ReportPart {
  const { items, ...header } = readMembers(json, headerRules, '');
  if (header.part > header.parts) throw new ApiError('malformed', 'part_above_parts', { field: 'part' });
  const read = items.map((item, i) => readMembers(item, itemRules, `items.${i}`));
  return { ...header, items: read };
}

/** Idempotency keys begin with the transaction ID. */
export const transactionOf = ({ key }: ReportedItem): string => key.replace(/-.*/, '');
