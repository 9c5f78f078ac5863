import type { CardRow } from '../payments/cards/rows';
import type { Database } from '../platform/database/connection';
import { wakeWorkers } from '../platform/database/outbox';
import { queueLookups } from './rows';

/**
 * After a new script, subscriptions with an unanswered charge of the card retry at once instead of after the outage
 * backoff. The new version makes a concurrent attempt record its outcome on top of this update.
 */
export async function retryUnansweredCharges(db: Database, { id, customer_id }: CardRow): Promise<void> {
  if (customer_id === null) return;
  if ((await queueLookups(db, customer_id, id)) > 0) await wakeWorkers(db);
}
