/** Compares the number of a new card with those that the unpaid period was charged to, by their fingerprints. */
import type { Database } from '../../platform/database/connection';
import type { SubscriptionRow } from './rows';
import { hasUnpaidPeriod } from './rules/periods';
import { NUMBER_REFUSED } from './rules/retries';
import type { SubscriptionChange } from './rules/state';
import type { SubscriptionSource } from './source';

export async function changeOfCard(
  db: Database,
  row: SubscriptionRow,
  { card, sealed }: SubscriptionSource,
): Promise<SubscriptionChange> {
  const { id: card_id } = card;
  if (!hasUnpaidPeriod(row)) return { card_id };
  const select = { id: true, fingerprint: true } as const;
  const fingerprint =
    sealed?.fingerprint ?? (await db.card.findUnique({ where: { id: card_id }, select }))?.fingerprint ?? null;
  if (!fingerprint) return { card_id };
  const { id: subscription_id, current_period_number: period } = row;
  // The refusal of the present card is known, with the advice of the acquirer.
  const declines = await db.transaction.findMany({
    where: { subscription_id, period, error_code: { in: [...NUMBER_REFUSED] }, source_id: { not: row.card_id } },
    select: { source_id: true },
  });
  const refused = declines.flatMap(({ source_id }) => source_id ?? []);
  const alike = await db.card.findMany({ where: { id: { in: [row.card_id, ...refused] }, fingerprint }, select });
  return {
    card_id,
    is_same_number: alike.some(({ id }) => id === row.card_id),
    is_refused_number: alike.some(({ id }) => refused.includes(id)),
  };
}
