/** Parses received e-mails into the fields that the inbox shows. */
import { randomBytes } from 'node:crypto';
import { type AddressObject, simpleParser } from 'mailparser';

export interface Message {
  id: string;
  from: string;
  reply_to: string | null;
  /** SMTP recipients, including Bcc. */
  to: string[];
  subject: string;
  date: string;
  text: string | null;
  html: string | null;
}

/** Sorts by time and is a valid file name on every system. */
export const newMessageId = (at: number): string =>
  `${new Date(at).toISOString().replaceAll(':', '.')}-${randomBytes(4).toString('hex')}`;

export const isMessageId = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d\.\d\d\.\d\d\.\d{3}Z-[0-9a-f]{8}$/.test(text);

const dateOf = (id: string): string => id.slice(0, 24).replace(/T(..)\.(..)\./, 'T$1:$2:');

/** Adds Delivered-To headers, so that the file contains the SMTP recipients. */
export const withRecipients = (raw: Buffer, recipients: string[]): Buffer =>
  Buffer.concat([Buffer.from(recipients.map(address => `Delivered-To: <${address}>\r\n`).join('')), raw]);

export async function readMessage(id: string, raw: Buffer): Promise<Message> {
  // Shows the parts as sent: do not derive text from HTML or HTML from text.
  const { headers, from, replyTo, subject, text, html } = await simpleParser(raw, {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipImageLinks: true,
  });
  const recipients = [headers.get('delivered-to') ?? []].flat() as AddressObject[];
  return {
    id,
    from: from?.text ?? '',
    reply_to: replyTo?.text ?? null,
    to: recipients.flatMap(({ value }) => value.map(({ address = '' }) => address)),
    subject: subject ?? '',
    date: dateOf(id),
    text: text || null,
    html: html || null,
  };
}
