/** A mail server, and what it was given. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type Mailbox, openMailbox } from '../../../src/embedded/mailbox/mailbox';
import type { Message } from '../../../src/embedded/mailbox/message';
import { freePort } from '../../../src/embedded/savedPorts';
import { atTheEnd } from '../flow/atTheEnd';

/** For one test, or outside of tests for the file. */
export async function startMailbox(): Promise<Mailbox> {
  const directory = mkdtempSync(join(tmpdir(), 'recaudo-mail-'));
  const mailbox = await openMailbox(
    { directory, smtpPort: await freePort(), mailPort: await freePort() },
    pino({ level: 'silent' }),
  );
  atTheEnd(async () => {
    await mailbox.close();
    rmSync(directory, { recursive: true });
  });
  return mailbox;
}

/** Newest first. */
export const mailsIn = async ({ url }: Mailbox): Promise<Message[]> =>
  (await (await fetch(`${url}/messages`)).json()) as Message[];
