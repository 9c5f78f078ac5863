/** Hands mail over, by SMTP. */
import { createTransport } from 'nodemailer';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  send(letter: Mail): Promise<void>;
  close(): void;
}

const TIMEOUT_MS = 10_000;
export const MAX_CONNECTIONS = 5;

export function openMailer(url: string, from: string): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Nothing that a letter says is read from a file or fetched from an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, ...letter }) {
      // An address is one address, whatever is in it.
      const message = { from, to: { name: '', address: to }, ...letter };
      await transport.sendMail(message).catch(error => {
        const { code = 'unknown', responseCode = 0 } = error as { code?: string; responseCode?: number };
        // Refused for good: sending it again and again would only harm our name.
        if (code === 'EENVELOPE' && (responseCode === 0 || responseCode >= 500)) return;
        if (responseCode >= 500 && code !== 'EAUTH') return;
        // The server's own words may name who it is for.
        throw new Error(`the mail server did not take a letter: ${code} ${responseCode}`);
      });
    },
    close: () => transport.close(),
  };
}
