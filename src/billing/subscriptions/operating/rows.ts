import type { Prisma } from '../../../../prisma/generated/client';
import { formatMoment } from '../../../../workflows/calendar';
import { ApiError } from '../../../platform/errors';
import { realNow, type SubscriptionRow } from '../rows';

/** A change `now` belongs to its request until its lease ends: a lookup could reverse a charge that is on its way. */
export function rejectBeingProcessed(row: SubscriptionRow): void {
  const { replacement, is_reversed, transaction_id: id = '', again_at = 0 } = row.open ?? {};
  if (replacement && !is_reversed && again_at > realNow(row))
    throw new ApiError('not_allowed', 'being_processed', { id, until: formatMoment(again_at) });
}

/** Makes the lookup at the acquirer due now and nudges the workflow. Returns false if the attempt is already settled. */
export async function makeLookupDue(
  tx: Prisma.TransactionClient,
  { id, environment }: Pick<SubscriptionRow, 'id' | 'environment'>,
  transaction_id: string,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    update subscriptions set version = version + 1, open = jsonb_set(open, '{again_at}', to_jsonb(floor(extract(epoch from now()) * 1000)::bigint))
    where id = ${id} and open ->> 'transaction_id' = ${transaction_id}`;
  if (count === 1) await tx.outbox.create({ data: { kind: 'nudge', object_id: id, environment } });
  return count === 1;
}
