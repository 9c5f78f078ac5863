/** Limits e-mails to payers, so that the service cannot be used to flood a mailbox. */
import { createHash } from 'node:crypto';
import type { Database } from '../../../platform/database/connection';
import { takeQuota } from '../../../platform/database/quota';

const MAX_EMAILS_PER_HOUR = 5000;
const MAX_EMAILS_PER_RECIPIENT_PER_HOUR = 20;

/** Takes from both quotas or from none. */
export async function takeEmailQuota(db: Database, merchant_id: string, email: string): Promise<void> {
  const recipient = createHash('sha256').update(email.toLowerCase()).digest('hex');
  await db.$transaction(async tx => {
    const recipientQuota = { name: `mails to ${recipient}`, problem: 'hourly_recipient_emails' } as const;
    await takeQuota(tx, { merchant_id, ...recipientQuota, max: MAX_EMAILS_PER_RECIPIENT_PER_HOUR });
    await takeQuota(tx, { merchant_id, name: 'mails', problem: 'hourly_payer_emails', max: MAX_EMAILS_PER_HOUR });
  });
}
