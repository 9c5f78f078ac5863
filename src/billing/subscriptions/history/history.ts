/** History, next action and projected charges of a subscription, by the billing rules. */
import { dayOf } from '../../../../workflows/calendar';
import { type Language, preferredLanguage } from '../../../platform/language';
import { toForwardConnection } from '../../../schema/connections/connection';
import { type ForwardWindow, numberIn } from '../../../schema/connections/positions';
import type { Context } from '../../../schema/operation/context';
import { isHeld, nextActionOf } from '../billing/snapshot';
import type { HistoryLine } from '../lines/events';
import { linesOf } from '../lines/rows';
import { clockNow, type SubscriptionRow, stateOf } from '../rows';
import { projection } from '../rules/projection';
import { describeLine, describeNext, summarise } from '../words/wording';
import type {
  History,
  HistoryArgs,
  HistoryEntry,
  HistoryEntryConnection,
  ProjectedCharge,
  ProjectionArgs,
  SubscriptionHistory,
} from './fields';

export function projectCharges(row: SubscriptionRow, { periods, declined_from }: ProjectionArgs): ProjectedCharge[] {
  const assume = (day: string) => (declined_from && day >= declined_from ? 'declined' : 'paid');
  const charges: ProjectedCharge[] = [];
  for (const { period, day, amount, invoice } of projection(stateOf(row), clockNow(row), assume)) {
    charges.push({ period, charge_date: day, amount, invoice });
    if (charges.length >= periods) break;
  }
  return charges;
}

/** Merchants see a hold only if it delays a due action. */
export function delayOf(row: SubscriptionRow): 'suspended' | 'held' | undefined {
  const next = nextActionOf(row);
  if (next.do === 'nothing' || !isHeld(row, next)) return undefined;
  if (row.suspension !== null) return 'suspended';
  return next.at <= clockNow(row) ? 'held' : undefined;
}

const languageOf = ({ acceptLanguage }: Context, language?: Language): Language =>
  language ?? preferredLanguage(acceptLanguage) ?? 'en';

const toEntry = (line: HistoryLine, language: Language): HistoryEntry => ({
  date: line.date,
  event: line.event,
  description: describeLine(line, language),
  period: line.period ?? null,
  transaction_id: line.transaction_id ?? null,
  error_code: line.error_code ?? null,
});

export interface OpenHistory extends SubscriptionHistory {
  id: string;
  language: Language;
}

export function openHistory(context: Context, row: SubscriptionRow, chosen?: Language): OpenHistory {
  const language = languageOf(context, chosen);
  const state = stateOf(row);
  const next = nextActionOf(row);
  const delay = delayOf(row);
  return {
    id: row.id,
    language,
    summary: summarise(state, language),
    next: describeNext(state, delay, language),
    end_date: next.do === 'cancel' && !delay ? dayOf(next.at) : null,
  };
}

/** In the order in which they were recorded, the latest first. */
export async function entriesOf(
  { db }: Context,
  { id, language }: OpenHistory,
  window: ForwardWindow,
): Promise<HistoryEntryConnection> {
  const before = numberIn(window.after, Number.MAX_SAFE_INTEGER);
  const { lines } = (await linesOf(db, { id, limit: window.first + 1, offset: 0, before })) ?? { lines: [] };
  const latestFirst = lines.toReversed();
  const entries = latestFirst.map(line => toEntry(line, language));
  return toForwardConnection(window, entries, (_, index) => `${latestFirst[index]?.id}`);
}

export async function historyOf(
  context: Context,
  row: SubscriptionRow,
  { limit, offset, language: chosen }: HistoryArgs,
): Promise<History> {
  const { language, summary, next, end_date } = openHistory(context, row, chosen);
  const { lines } = (await linesOf(context.db, { id: row.id, limit, offset })) ?? { lines: [] };
  return {
    summary,
    // E-mail entries are written after other entries but have the date of their cause.
    entries: [...lines].sort((a, b) => a.date.getTime() - b.date.getTime()).map(line => toEntry(line, language)),
    next,
    end_date,
  };
}
