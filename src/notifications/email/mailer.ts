/** Sends e-mail by SMTP. */
import { createTransport } from 'nodemailer';
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
}

export interface Mailer {
  /** Returns false if the e-mail was rejected permanently; throws if a retry may succeed. */
  send(mail: Mail): Promise<boolean>;
  close(): void;
}

const TIMEOUT_MS = 10_000;
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
  return {
    async send({ to, senderName, replyTo, ...content }) {
      const sender = senderName ? { name: senderName, address: addressIn(from) } : from;
      const message = { from: sender, to: single(to), ...(replyTo && { replyTo: single(replyTo) }), ...content };
      try {
        await transport.sendMail(message);
        return true;
      } catch (error) {
        const { code = 'unknown', responseCode = 0 } = error as { code?: string; responseCode?: number };
        // A permanent rejection: a retry would harm the reputation of the sender. Other failures (connection, TLS,
        // password) do not depend on the e-mail, so it is retried.
        if (code === 'EENVELOPE' && (responseCode === 0 || responseCode >= 500)) return false;
        if (code === 'EMESSAGE' && responseCode >= 500) return false;
        // The server's own message may name the recipient.
        throw new Error(`mailer: e-mail not sent: ${code} ${responseCode}`);
      }
    },
    close: () => transport.close(),
  };
}
