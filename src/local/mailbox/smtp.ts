/** SMTP server without authentication, for local senders. */
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import type { Log } from '../../platform/log';
import type { Inbox } from './inbox';

const MAX_MESSAGE_BYTES = 1_000_000;
/** Time after which idle connections are closed at shutdown. */
const CLOSE_TIMEOUT_MS = 1000;

export function createSmtp(inbox: Inbox, log: Log): SMTPServer {
  const server = new SMTPServer({
    size: MAX_MESSAGE_BYTES,
    closeTimeout: CLOSE_TIMEOUT_MS,
    disabledCommands: ['AUTH', 'STARTTLS'],
    // Avoids reverse lookups of 127.0.0.1, which hang on a broken network.
    disableReverseLookup: true,
    logger: false,
    onData: (stream, { envelope }, done) => {
      const recipients = envelope.rcptTo.map(({ address }) => address);
      readAll(stream)
        .then(raw => inbox.receive(raw, recipients))
        .then(
          () => done(),
          error => {
            if (!error.responseCode) log.error(error);
            done(error);
          },
        );
    },
  });
  server.on('error', error => log.warn(error));
  return server;
}

/** SMTP allows a response only after the whole message was read, so the excess is read and discarded. */
async function readAll(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk);
  if (stream.sizeExceeded) throw Object.assign(new Error('The message exceeds 1 MB'), { responseCode: 552 });
  return Buffer.concat(chunks);
}
