import type { CardRow } from '../payments/cards/rows';
import type { Database } from '../platform/database/connection';
import { wakeWorkers } from '../platform/database/outbox';
import { askAgainAbout } from './rows';

/**
 * A card that has got another script gives another answer. Subscriptions that have none yet to a charge of this card
 * ask for it at once, instead of after the long pauses of an outage. The version is raised, so that an attempt that is
 * just being made is recorded on top of this.
 */
export async function askAgainAboutCard(db: Database, { id, customer_id }: CardRow): Promise<void> {
  if (customer_id === null) return;
  if ((await askAgainAbout(db, customer_id, id)) > 0) await wakeWorkers(db);
}
