import { once } from 'node:events';
import { FatalError } from '../../platform/lifetime';
import type { Log } from '../../platform/log';
import { Inbox } from './inbox';
import { createMailServer } from './server';
import { createSmtp } from './smtp';

/** For this machine only: nothing in it asks who somebody is. */
const HOST = '127.0.0.1';

export interface MailboxOptions {
  directory: string;
  smtpPort: number;
  mailPort: number;
  /** How many mails are kept. */
  most?: number;
}

export interface Mailbox {
  url: string;
  smtpUrl: string;
  close(): Promise<void>;
}

export async function openMailbox(options: MailboxOptions, log: Log): Promise<Mailbox> {
  const { directory, smtpPort, mailPort, most } = options;
  const inbox = await Inbox.open(directory, most);
  const smtp = createSmtp(inbox, log);
  const server = createMailServer(inbox);
  await listening(smtpPort, () => once(smtp.listen(smtpPort, HOST), 'listening'));
  await listening(mailPort, () => server.listen({ host: HOST, port: mailPort }));
  return {
    url: `http://${HOST}:${mailPort}`,
    smtpUrl: `smtp://${HOST}:${smtpPort}`,
    close: async () => {
      await new Promise<void>(resolve => smtp.close(resolve));
      await server.close();
    },
  };
}

const listening = (port: number, listen: () => Promise<unknown>): Promise<unknown> =>
  listen().catch(error => {
    throw error.code === 'EADDRINUSE' ? new FatalError(`Port ${port} is taken by another program.`) : error;
  });
