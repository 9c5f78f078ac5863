import { Prisma } from '../../prisma/generated/client';
import type { CardRow } from '../payments/cards/rows';
import type { Database } from '../platform/database/connection';
import { SANDBOX } from '../platform/database/environments';
import { insertOutbox, wakeWorkers } from '../platform/database/outbox';
import { idsOf, statement } from '../platform/database/rows';

/**
 * After a new script, subscriptions with an unanswered charge of the card retry at once instead of after the outage
 * backoff. The new version makes a concurrent attempt record its outcome on top of this update.
 */
export async function retryUnansweredCharges(db: Database, { id, customer_id }: CardRow): Promise<void> {
  if (customer_id === null) return;
  const unanswered_subscriptions = Prisma.sql`
    update subscriptions set version = version + 1, open = open || jsonb_build_object(
      'again_at', floor(extract(epoch from now()) * 1000)::bigint, 'tries', least((open ->> 'tries')::integer, 1))
    where customer_id = ${customer_id} and status <> 'new' and open ->> 'card_id' = ${id}
    returning id`;
  const count = await db.$executeRaw(
    statement(
      { unanswered_subscriptions },
      insertOutbox('nudge', idsOf('unanswered_subscriptions'), { environment: SANDBOX }),
    ),
  );
  if (count > 0) await wakeWorkers(db);
}
