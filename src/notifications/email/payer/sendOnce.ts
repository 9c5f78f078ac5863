/**
 * Sends an e-mail to a payer at most once per kind and cause. The row is written before the e-mail is sent. If a
 * process dies meanwhile, the e-mail is not sent again, because the mail server may have accepted it. An e-mail that was
 * certainly not accepted is sent later.
 */

import type { Prisma } from '../../../../prisma/generated/client';
import type { Environment } from '../../../../prisma/generated/enums';
import type { PayerEmailName } from '../../../accounts/merchants/fields';
import { newEvent } from '../../../events/newEvent';
import type { Database } from '../../../platform/database/connection';
import { newId } from '../../../platform/identifiers';
import { type Mail, type Mailers, UncertainDelivery } from '../mailer';

/** The last two are sent at a request, so no switch turns them off. */
type SentEmailKind = PayerEmailName | 'payment' | 'payment_link';

interface PayerMail {
  kind: SentEmailKind;
  /** Identifies the cause among those of the kind. */
  cause: string;
  merchant_id: string;
  environment: Environment;
  customer_id: string | null;
  /** The transaction, subscription or payment link that it is about. */
  object_id: string;
  mail: Mail;
  /** The date of its event; by default the present. */
  date?: Date;
}

/** Written with the outcome. */
type RecordOutcome = (tx: Prisma.TransactionClient, isTaken: boolean) => Promise<unknown>;

export async function sendOnce(
  db: Database,
  mailers: Mailers,
  { kind, cause, merchant_id, environment, customer_id, object_id, mail, date = new Date() }: PayerMail,
  record: RecordOutcome = async () => undefined,
): Promise<void> {
  const mailer = mailers[environment];
  if (!mailer) return;
  const id = newId('email');
  const address = { merchant_id, email: mail.to.toLowerCase() };
  const isSuppressed = await db.suppressedEmail.findUnique({ where: { merchant_id_email: address } });
  const status = isSuppressed ? 'withheld' : 'sending';
  const { count } = await db.sentEmail.createMany({
    data: [{ id, kind, cause, merchant_id, customer_id, object_id, recipient: mail.to, status }],
    skipDuplicates: true,
  });
  if (count === 0 || isSuppressed) return;
  const sent = await mailer.send({ ...mail, id }).catch(async error => {
    if (error instanceof UncertainDelivery) return 'unknown' as const;
    await db.sentEmail.delete({ where: { id } });
    throw error;
  });
  if (sent === 'unknown') {
    await db.sentEmail.update({ where: { id }, data: { status: 'unknown' } });
    return;
  }
  await db.$transaction(async tx => {
    await tx.sentEmail.update({
      where: { id },
      data: sent ? { status: 'sent', provider_id: sent.provider_id } : { status: 'refused' },
    });
    await record(tx, sent !== undefined);
    if (!sent) return;
    const email = { id, kind, recipient: masked(mail.to), object_id, customer_id };
    const event = { ...newEvent('email.sent', value => value, email), object: email };
    await tx.event.create({ data: { ...event, merchant_id, object_id: id, creation_date: date } });
  });
}

/** `m•••@example.com` */
const masked = (address: string): string => address.replace(/^(.)[^@]*/, '$1•••');
