import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { FatalError } from '../../platform/lifetime';
import type { Log } from '../../platform/log';
import { Inbox } from './inbox';
import { createMailServer } from './server';
import { createSmtp } from './smtp';

/** Local only, because there is no authentication. */
const HOST = '127.0.0.1';

export interface MailboxOptions {
  directory: string;
  /** 0 selects a free port. */
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
  const smtpServer = smtp.listen(smtpPort, HOST);
  await listenOn(smtpPort, () => once(smtpServer, 'listening'));
  await listenOn(mailPort, () => server.listen({ host: HOST, port: mailPort }));
  return {
    url: `http://${HOST}:${portOf(server.server)}`,
    smtpUrl: `smtp://${HOST}:${portOf(smtpServer)}`,
    close: async () => {
      await new Promise<void>(resolve => smtp.close(resolve));
      await server.close();
    },
  };
}

/** The assigned port, for servers that listen on port 0. */
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const listenOn = (port: number, listen: () => Promise<unknown>): Promise<unknown> =>
  listen().catch(error => {
    throw error.code === 'EADDRINUSE' ? new FatalError(`Port ${port} is in use by another program.`) : error;
  });
