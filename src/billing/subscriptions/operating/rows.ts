import type { Prisma } from '../../../../prisma/generated/client';
import type { SubscriptionRow } from '../rows';

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
