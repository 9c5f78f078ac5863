/**
 * A settlement report: what the acquirer pays us for a day, and what it takes back. A long one comes in parts. Nothing of
 * it is trusted before its form is checked here, and its sums and its items against the books.
 */
import { ApiError } from '../../platform/errors';

export const SETTLEMENT_TYPES = ['charge', 'refund', 'chargeback', 'payout'] as const;
export type SettlementType = (typeof SETTLEMENT_TYPES)[number];

export interface ReportedItem {
  /** The id that our requests named. */
  merchant: string;
  type: SettlementType;
  /** Under which we ordered it. It begins with the id of a transaction. */
  key: string;
  /** In centavos: positive where it comes to us. */
  amount: number;
  date: string;
}

/** What every part of a report says of the whole. */
interface ReportHeader {
  id: string;
  /** yyyy-mm-dd in America/Bogota. */
  day: string;
  /** When it was made, where that is not now: in the sandbox by the clock of whoever is paid. */
  date?: string | undefined;
  parts: number;
  count: number;
  /** Of all amounts. */
  total: number;
}

export interface ReportPart extends ReportHeader {
  /** From 1 on. */
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

/** The members that the rules name and no others, in their order: parts that say the same are equal as JSON. */
function readMembers<T>(value: unknown, rules: Rules<T>, place: string): T {
  if (typeof value !== 'object' || value === null)
    throw new ApiError('malformed', 'report_not_object', { place: place || 'A report' });
  const members = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries<MemberCheck>(rules).map(([name, isRight]) => {
      const field = `${place}${place && '.'}${name}`;
      if (!isRight(members[name])) throw new ApiError('malformed', 'not_reported', { field });
      return [name, members[name]];
    }),
  ) as T;
}

/** Throws error 1001 for whatever is no part of a report. */
export function readReportPart(json: unknown): ReportPart {
  const { items, ...header } = readMembers(json, headerRules, '');
  if (header.part > header.parts) throw new ApiError('malformed', 'part_above_parts', { field: 'part' });
  const read = items.map((item, i) => readMembers(item, itemRules, `items.${i}`));
  return { ...header, items: read };
}

/** What is paid for a transaction is ordered under its id, or under keys that begin with it. */
export const transactionOf = ({ key }: ReportedItem): string => key.replace(/-.*/, '');
