import { suppressEmail } from '../../../payments/customers/suppression';
import type { Database } from '../../../platform/database/connection';
import { isId } from '../../../platform/identifiers';

interface Undeliverable {
  /** Our Message-ID, or the mail server's name of the e-mail. */
  message_id: string;
  email: string;
  status: 'bounced' | 'complained';
}

/** The merchant's e-mails to this address stop. Returns false for an unknown e-mail, and for another recipient. */
export async function markUndeliverable(db: Database, { message_id, email, status }: Undeliverable): Promise<boolean> {
  const name = message_id.replace(/^<|>$/g, '');
  const id = name.replace(/@.*$/s, '');
  const found = isId(id)
    ? await db.sentEmail.findUnique({ where: { id } })
    : await db.sentEmail.findFirst({ where: { provider_id: { in: [name, `<${name}>`] } } });
  if (found?.recipient.toLowerCase() !== email.toLowerCase()) return false;
  const { merchant_id, recipient } = found;
  await db.$transaction(async tx => {
    await tx.sentEmail.update({ where: { id: found.id }, data: { status } });
    await suppressEmail(tx, { merchant_id, email: recipient }, status);
  });
  return true;
}
