/** A mail as it was received, and what of it is shown. */
import { randomBytes } from 'node:crypto';
import { type AddressObject, simpleParser } from 'mailparser';

export interface Message {
  id: string;
  from: string;
  /** Who it was handed over for, which a header need not tell. */
  to: string[];
  subject: string;
  /** When it came. */
  date: string;
  text: string | null;
  html: string | null;
}

/** Sorts by time, and is the name of a file everywhere. */
export const newMessageId = (at: number): string =>
  `${new Date(at).toISOString().replaceAll(':', '.')}-${randomBytes(4).toString('hex')}`;

export const isMessageId = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d\.\d\d\.\d\d\.\d{3}Z-[0-9a-f]{8}$/.test(text);

const dateOf = (id: string): string => id.slice(0, 24).replace(/T(..)\.(..)\./, 'T$1:$2:');

/** As mail servers do, so that the file alone tells everything. */
export const withRecipients = (raw: Buffer, recipients: string[]): Buffer =>
  Buffer.concat([Buffer.from(recipients.map(address => `Delivered-To: <${address}>\r\n`).join('')), raw]);

export async function readMessage(id: string, raw: Buffer): Promise<Message> {
  // What was not sent is not made up: no text out of HTML, no HTML out of text.
  const { headers, from, subject, text, html } = await simpleParser(raw, {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipImageLinks: true,
  });
  const recipients = [headers.get('delivered-to') ?? []].flat() as AddressObject[];
  return {
    id,
    from: from?.text ?? '',
    to: recipients.flatMap(({ value }) => value.map(({ address = '' }) => address)),
    subject: subject ?? '',
    date: dateOf(id),
    text: text || null,
    html: html || null,
  };
}
