/** How many payers a merchant can have e-mails sent to, so that nobody uses this service to flood a mailbox. */
import { createHash } from 'node:crypto';
import type { Database } from '../../../platform/database/connection';
import { takeQuota } from '../../../platform/database/quota';

const MAX_MAILS_PER_HOUR = 5000;
const MAX_MAILS_PER_RECIPIENT_PER_HOUR = 20;

/** Takes from both quotas or from none. */
export async function takeMailQuota(db: Database, merchant_id: string, email: string): Promise<void> {
  const recipient = createHash('sha256').update(email.toLowerCase()).digest('hex');
  await db.$transaction(async tx => {
    const ofRecipient = { name: `mails to ${recipient}`, problem: 'hourly_recipient_emails' } as const;
    await takeQuota(tx, { merchant_id, ...ofRecipient, max: MAX_MAILS_PER_RECIPIENT_PER_HOUR });
    await takeQuota(tx, { merchant_id, name: 'mails', problem: 'hourly_payer_emails', max: MAX_MAILS_PER_HOUR });
  });
}
