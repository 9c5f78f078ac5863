/** Hands mail over, by SMTP. */
import { createTransport } from 'nodemailer';

export interface Letter {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  send(letter: Letter): Promise<void>;
  close(): void;
}

const PATIENCE_MS = 10_000;

export function openMailer(url: string, from: string): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    // Nothing that a letter says is read from a file or fetched from an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(letter) {
      await transport.sendMail({ from, ...letter });
    },
    close: () => transport.close(),
  };
}
