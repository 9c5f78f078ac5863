/** A mail server and the e-mails that it received. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type Mailbox, openMailbox } from '../../../src/local/mailbox/mailbox';
import type { Message } from '../../../src/local/mailbox/message';
import { openMailers } from '../../../src/notifications/email/mailer';
import { drainOutbox } from '../../../src/operations/background/outbox';
import { outboxHandlers } from '../../../src/operations/background/outboxHandlers';
import type { Database } from '../../../src/platform/database/connection';
import { atTheEnd } from '../flow/atTheEnd';

/** For one test, or outside tests for the whole file. */
export async function startMailbox(): Promise<Mailbox> {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-mail-'));
  const mailbox = await openMailbox({ directory, smtpPort: 0, mailPort: 0 }, pino({ level: 'silent' }));
  atTheEnd(async () => {
    await mailbox.close();
    rmSync(directory, { recursive: true });
  });
  return mailbox;
}

/** Newest e-mails first. */
export const mailsIn = async ({ url }: Mailbox): Promise<Message[]> =>
  (await (await fetch(`${url}/messages`)).json()) as Message[];

/** The e-mails that a worker sends now. */
export async function sendMails(db: Database, mailbox: Mailbox, operatorEmail?: string): Promise<Message[]> {
  const before = (await mailsIn(mailbox)).length;
  const mailers = openMailers({
    NODE_ENV: 'test',
    PRIVATE_NETWORKS: undefined,
    SMTP_URL: mailbox.smtpUrl,
    SANDBOX_SMTP_URL: undefined,
    MAIL_FROM: 'no-reply@recaudo.example',
  });
  await drainOutbox(db, outboxHandlers('mail', { db, mailers, operatorEmail })).finally(() => mailers.close());
  const after = await mailsIn(mailbox);
  return after.slice(0, after.length - before);
}
