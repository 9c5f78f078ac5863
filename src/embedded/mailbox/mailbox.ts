import { once } from 'node:events';
import { FatalError } from '../../platform/lifetime';
import type { Log } from '../../platform/log';
import { Inbox } from './inbox';
import { createMailServer } from './server';
import { createSmtp } from './smtp';

/** Reachable from this machine only, because there is no authentication. */
const HOST = '127.0.0.1';

export interface MailboxOptions {
  directory: string;
  smtpPort: number;
  mailPort: number;
  maxMessages?: number | undefined;
}

export interface Mailbox {
  url: string;
  smtpUrl: string;
  close(): Promise<void>;
}

export async function openMailbox(options: MailboxOptions, log: Log): Promise<Mailbox> {
  const { directory, smtpPort, mailPort, maxMessages } = options;
  const inbox = await Inbox.open(directory, maxMessages);
  const smtp = createSmtp(inbox, log);
  const server = createMailServer(inbox);
  await listenOn(smtpPort, () => once(smtp.listen(smtpPort, HOST), 'listening'));
  await listenOn(mailPort, () => server.listen({ host: HOST, port: mailPort }));
  return {
    url: `http://${HOST}:${mailPort}`,
    smtpUrl: `smtp://${HOST}:${smtpPort}`,
    close: async () => {
      await new Promise<void>(resolve => smtp.close(resolve));
      await server.close();
    },
  };
}

const listenOn = (port: number, listen: () => Promise<unknown>): Promise<unknown> =>
  listen().catch(error => {
    throw error.code === 'EADDRINUSE' ? new FatalError(`Port ${port} is taken by another program.`) : error;
  });
