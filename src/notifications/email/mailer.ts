/** Sends e-mail by SMTP. */
import type { Readable } from 'node:stream';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Config } from '../../platform/config/config';
import { isThisMachine } from '../../platform/networks';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Shown with the address of MAIL_FROM, instead of its name. */
  senderName?: string;
  replyTo?: string | undefined;
  /** The part of the Message-ID before the @. */
  id?: string;
}

interface AcceptedMail {
  /** The mail server's name of the e-mail, if its response has one. */
  provider_id: string | null;
}

export interface Mailer {
  /**
   * Returns undefined if the e-mail was rejected permanently. Throws if a retry may succeed, and an UncertainDelivery if
   * it may have been accepted.
   */
  send(mail: Mail): Promise<AcceptedMail | undefined>;
  close(): void;
}

/** The connection was lost after the e-mail was sent and before the mail server's response. */
export class UncertainDelivery extends Error {}

const TIMEOUT_MS = 10_000;
const MAX_PROVIDER_ID_LENGTH = 200;
export const MAX_SMTP_CONNECTIONS = 5;

/** The mailers, by the environment of the merchant. */
export interface Mailers {
  production: Mailer;
  /** Without one, payers of the sandbox receive no e-mails. */
  sandbox: Mailer | undefined;
  close(): void;
}

/**
 * Any address can be a payer of the sandbox, so in production its e-mails go to a separate server, usually one that
 * delivers nothing.
 */
type MailConfig = Config<'NODE_ENV' | 'PRIVATE_NETWORKS' | 'SMTP_URL' | 'SANDBOX_SMTP_URL' | 'MAIL_FROM'>;

export function openMailers(config: MailConfig): Mailers {
  const { NODE_ENV, SMTP_URL, SANDBOX_SMTP_URL = NODE_ENV === 'production' ? undefined : SMTP_URL, MAIL_FROM } = config;
  const open = (url: string): Mailer => {
    const isLocal = isThisMachine(new URL(url).hostname, config.PRIVATE_NETWORKS);
    return openMailer(url, MAIL_FROM, NODE_ENV === 'production' && !isLocal);
  };
  const production = open(SMTP_URL);
  const sandbox = SANDBOX_SMTP_URL === undefined ? undefined : open(SANDBOX_SMTP_URL);
  return {
    production,
    sandbox,
    close: () => {
      production.close();
      sandbox?.close();
    },
  };
}

/** Makes text from users safe: it cannot start a line of the e-mail, nor hide or reverse the text after it. */
export const oneLine = (text: string): string => text.replace(/[\s\p{C}\p{Z}]+/gu, ' ').trim();

/** As an object, because a string with commas would be parsed as several addresses. */
const single = (address: string) => ({ name: '', address });

/** The address of `Name <name@host>`, or the text itself. */
const addressIn = (sender: string): string => /<(.+)>$/.exec(sender)?.[1] ?? sender;

/** `watch` gets the stream of the message, which is read only once the mail server has accepted its sender and recipient. */
type WatchedMail = SendMailOptions & { watch?: (stream: Readable) => void };

/** With `requireTls`, sending fails if the server offers no TLS or an untrusted certificate. */
export function openMailer(url: string, from: string, requireTls: boolean): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    requireTLS: requireTls,
    maxConnections: MAX_SMTP_CONNECTIONS,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // The content of an e-mail must not make the library read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.use('stream', ({ data, message }, done) => {
    message.processFunc(stream => {
      (data as WatchedMail).watch?.(stream as Readable);
      return stream;
    });
    done();
  });
  return {
    async send({ to, senderName, replyTo, id, ...content }) {
      const sender = senderName ? { name: senderName, address: addressIn(from) } : from;
      const message: WatchedMail = {
        from: sender,
        to: single(to),
        ...(replyTo && { replyTo: single(replyTo) }),
        ...(id && { messageId: `<${id}@${addressIn(from).replace(/^.*@/, '')}>` }),
        ...content,
      };
      let sent: Readable | undefined;
      message.watch = stream => {
        sent = stream;
      };
      try {
        const { serverMessageId } = (await transport.sendMail(message)) as { serverMessageId?: string };
        return { provider_id: serverMessageId?.slice(0, MAX_PROVIDER_ID_LENGTH) ?? null };
      } catch (error) {
        const { code = 'unknown', responseCode = 0 } = error as { code?: string; responseCode?: number };
        // A permanent rejection: a retry would harm the reputation of the sender. Other failures (connection, TLS,
        // password) do not depend on the e-mail, so it is retried.
        if (code === 'EENVELOPE' && (responseCode === 0 || responseCode >= 500)) return undefined;
        if (code === 'EMESSAGE' && responseCode >= 500) return undefined;
        // The server's own message may name the recipient.
        const cause = `${code} ${responseCode}`;
        if (sent?.readableDidRead && !responseCode) throw new UncertainDelivery(`mailer: response lost: ${cause}`);
        throw new Error(`mailer: e-mail not sent: ${cause}`);
      }
    },
    close: () => transport.close(),
  };
}
