/** Charges subscriptions that an expired card has kept from being charged when its expiration date changes. */
import { auditEntry } from '../../accounts/auditLog/entry';
import { registerCardRenewal } from '../../payments/cards/renewal';
import { applyEvent } from './billing/applyEvent';
import { writeChangesInTransaction } from './billing/rows';
import { clockNow, lockWaitingForRenewal } from './rows';

registerCardRenewal(async (tx, context, card_id) => {
  const subscriptions = await lockWaitingForRenewal(tx, card_id);
  const changes = subscriptions.map(row => {
    const change = { object_id: row.id, before: { card_id }, after: { card_id } };
    const audit = auditEntry(context, 'subscription.changed', change);
    return applyEvent(row, { type: 'change', at: clockNow(row), card_id }, { outbox: ['nudge'], audit });
  });
  await writeChangesInTransaction(tx, changes);
});
