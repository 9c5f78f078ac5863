import { Prisma } from '../../prisma/generated/client';
import type { CardRow } from '../payments/cards/rows';
import type { Database } from '../platform/database/connection';
import { SANDBOX } from '../platform/database/environments';
import { insertOutbox, wakeWorkers } from '../platform/database/outbox';
import { idsOf, statement } from '../platform/database/rows';

/**
 * A card that has got another script gives another answer. Subscriptions that have none yet to a charge of this card
 * ask for it at once, instead of after the long pauses of an outage. The version is raised, so that an attempt that is
 * just being made is recorded on top of this.
 */
export async function askAgainAboutCard(db: Database, { id, customer_id }: CardRow): Promise<void> {
  if (customer_id === null) return;
  const unanswered_subscriptions = Prisma.sql`
    update subscriptions set version = version + 1, open = open || jsonb_build_object(
      'again_at', floor(extract(epoch from now()) * 1000)::bigint, 'tries', least((open ->> 'tries')::integer, 1))
    where customer_id = ${customer_id} and status <> 'new' and open ->> 'card_id' = ${id}
    returning id`;
  const asked = await db.$executeRaw(
    statement(
      { unanswered_subscriptions },
      insertOutbox('nudge', idsOf('unanswered_subscriptions'), { environment: SANDBOX }),
    ),
  );
  if (asked > 0) await wakeWorkers(db);
}
