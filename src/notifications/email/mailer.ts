/** Sends e-mail by SMTP. */
import { createTransport } from 'nodemailer';
import type { Config } from '../../platform/config/config';
import { isThisMachine } from '../../platform/networks';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** False if the mail was refused for good. It fails where it may be taken later. */
  send(mail: Mail): Promise<boolean>;
  close(): void;
}

const TIMEOUT_MS = 10_000;
export const MAX_SMTP_CONNECTIONS = 5;

/** Who sends to payers, by the environment of the merchant, and to merchants. */
export interface Mailers {
  production: Mailer;
  /** Without one, nothing is sent to payers of the sandbox. */
  sandbox: Mailer | undefined;
  close(): void;
}

/**
 * Anybody may be named as a payer of the sandbox, where nobody pays, so in production its e-mails take a server of their
 * own: as a rule one that delivers nothing.
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

/** A text of somebody else: it must neither begin a line of the mail nor hide or turn around what follows. */
export const oneLine = (text: string): string => text.replace(/[\s\p{C}\p{Z}]+/gu, ' ').trim();

/** With `requireTls`, mail waits rather than going to a server that offers no TLS or an untrusted certificate. */
export function openMailer(url: string, from: string, requireTls: boolean): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    requireTLS: requireTls,
    maxConnections: MAX_SMTP_CONNECTIONS,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Nothing in a mail may make the library read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, ...content }) {
      // As an object, because a string with commas would be parsed as several addresses.
      const message = { from, to: { name: '', address: to }, ...content };
      try {
        await transport.sendMail(message);
        return true;
      } catch (error) {
        const { code = 'unknown', responseCode = 0 } = error as { code?: string; responseCode?: number };
        // This mail is refused permanently: repeating it would only harm our reputation as a sender. Any other refusal,
        // of the connection, of TLS or of our password, is not about the mail, which waits.
        if (code === 'EENVELOPE' && (responseCode === 0 || responseCode >= 500)) return false;
        if (code === 'EMESSAGE' && responseCode >= 500) return false;
        // The server's own message may name the recipient.
        throw new Error(`the mail server did not take a letter: ${code} ${responseCode}`);
      }
    },
    close: () => transport.close(),
  };
}
