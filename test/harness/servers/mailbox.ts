/** A mail server for one test file, and what it was given. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type Mailbox, openMailbox } from '../../../src/embedded/mailbox/mailbox';
import type { Message } from '../../../src/embedded/mailbox/message';
import { freePort } from '../../../src/embedded/savedPorts';
import { atTheEnd } from '../flow/atTheEnd';

export function testMailbox() {
  let mailbox: Mailbox;
  beforeAll(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'recaudo-mail-'));
    const ports = { smtpPort: await freePort(), mailPort: await freePort() };
    mailbox = await openMailbox({ directory, ...ports }, pino({ level: 'silent' }));
    atTheEnd(async () => {
      await mailbox.close();
      rmSync(directory, { recursive: true });
    });
  });
  return {
    smtpUrl: (): string => mailbox.smtpUrl,
    /** Newest first. */
    messages: async (): Promise<Message[]> => (await (await fetch(`${mailbox.url}/messages`)).json()) as Message[],
  };
}
