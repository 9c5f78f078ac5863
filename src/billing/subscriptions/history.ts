/** History, next action and projected charges of a subscription, by the billing rules. */
import { dayOf } from '../../../workflows/calendar';
import type { Database } from '../../platform/database/connection';
import { preferredLanguage } from '../../platform/language';
import type { Context } from '../../schema/operation/context';
import { isHeld, nextActionOf } from './billing/snapshot';
import type { History, HistoryArgs, ProjectedCharge, ProjectionArgs } from './historyFields';
import { clockNow, type HistoryLine, linesOf, type SubscriptionRow, stateOf } from './rows';
import { projection } from './rules/projection';
import { describeLine, describeNext, summarise } from './wording';

export function projectCharges(row: SubscriptionRow, { periods, declined_from }: ProjectionArgs): ProjectedCharge[] {
  const assume = (day: string) => (declined_from && day >= declined_from ? 'declined' : 'paid');
  const charges: ProjectedCharge[] = [];
  for (const { period, day } of projection(stateOf(row), clockNow(row), assume)) {
    charges.push({ period, charge_date: day, amount: row.amount });
    if (charges.length >= periods) break;
  }
  return charges;
}

/** Merchants see a hold only if it delays a due action. */
export function pauseOf(row: SubscriptionRow): 'suspended' | 'held' | undefined {
  const next = nextActionOf(row);
  if (next.do === 'nothing' || !isHeld(row, next)) return undefined;
  if (row.suspension !== null) return 'suspended';
  return next.at <= clockNow(row) ? 'held' : undefined;
}

const MAX_RECENT_LINES = 12;
/** The recent history of a subscription with an unpaid period, which explains why it is unpaid. */
export const declinesOf = async (
  db: Database,
  { id, status }: Pick<SubscriptionRow, 'id' | 'status'>,
): Promise<HistoryLine[]> =>
  status === 'past_due' || status === 'unpaid'
    ? ((await linesOf(db, { id, limit: MAX_RECENT_LINES, offset: 0 }))?.lines ?? [])
    : [];

export async function historyOf(
  { db, acceptLanguage }: Context,
  row: SubscriptionRow,
  { limit, offset, language = preferredLanguage(acceptLanguage) ?? 'en' }: HistoryArgs,
): Promise<History> {
  const state = stateOf(row);
  const next = nextActionOf(row);
  const pause = pauseOf(row);
  const { lines } = (await linesOf(db, { id: row.id, limit, offset })) ?? { lines: [] };
  return {
    summary: summarise(state, language),
    // E-mail entries are written after other entries but have the date of their cause.
    entries: [...lines]
      .sort((a, b) => a.date.getTime() - b.date.getTime())
      .map(line => ({
        date: line.date,
        event: line.event,
        description: describeLine(line, language),
        period: line.period ?? null,
        transaction_id: line.transaction_id ?? null,
        error_code: line.error_code ?? null,
      })),
    next: describeNext(state, pause, language),
    end_date: next.do === 'cancel' && !pause ? dayOf(next.at) : null,
  };
}
