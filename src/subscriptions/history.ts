/** What happened to a subscription, what comes next, and its future charges, by the same rules that bill. */
import { projection } from '../../workflows/projection';
import { batchedById } from '../database/batch';
import type { Database } from '../database/connection';
import type { HistoryLine } from './billing/applyEvent';
import type { History, ProjectedCharge, ProjectionArgs } from './historyFields';
import { clockNow, type SubscriptionRow, stateOf } from './rows';
import { describeFuture, describeLine, summarise } from './wording';

export function projectCharges(row: SubscriptionRow, { periods, declined_from }: ProjectionArgs): ProjectedCharge[] {
  const assume = (day: string) => (declined_from && day >= declined_from ? 'declined' : 'paid');
  const charges: ProjectedCharge[] = [];
  for (const { period, day } of projection(stateOf(row), clockNow(row), assume)) {
    charges.push({ period, charge_date: day, amount: row.amount });
    if (charges.length >= periods) break;
  }
  return charges;
}

const linesOf = batchedById(async (db, ids: readonly string[]) => {
  const lines = await db.subscriptionLine.findMany({
    where: { subscription_id: { in: [...ids] } },
    orderBy: { id: 'asc' },
  });
  return ids.map(id => ({ id, lines: lines.filter(({ subscription_id }) => subscription_id === id) as HistoryLine[] }));
});

export async function historyOf(db: Database, row: SubscriptionRow): Promise<History> {
  const state = stateOf(row);
  const { lines } = (await linesOf(db, row.id)) ?? { lines: [] };
  return {
    summary: summarise(state),
    entries: lines.map(line => ({
      date: line.date,
      event: line.event,
      description: describeLine(line),
      period: line.period ?? null,
      transaction_id: line.transaction_id ?? null,
      error_code: line.error_code ?? null,
    })),
    next: describeFuture(state),
  };
}
