/** The inbox for people. What was sent is shown as text, whatever it contains. */
import type { Message } from './message';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, character => entities[character] ?? '');

/** A full stop or a bracket after an address is not part of it. */
const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/;

const withLinks = (text: string): string =>
  text
    .split(ADDRESS)
    .map((piece, index) =>
      index % 2 === 1 ? `<a href="${escaped(piece)}" rel="noreferrer">${escaped(piece)}</a>` : escaped(piece),
    )
    .join('');

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escaped(title)} – recaudo mail</title>
    <link rel="stylesheet" href="/mailbox.css">
  </head>
  <body>
    <main>
${body}
    </main>
  </body>
</html>
`;

const subjectOf = ({ subject }: Message): string => subject || '(no subject)';

const moment = (date: string): string =>
  `<time datetime="${date}">${date.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</time>`;

const row = (message: Message): string => `        <li>
          <a href="/messages/${message.id}">${escaped(subjectOf(message))}</a>
          <p>from ${escaped(message.from)}</p>
          <p>to ${escaped(message.to.join(', '))}</p>
          <p>${moment(message.date)}</p>
        </li>`;

export const inboxPage = (messages: Message[]): string =>
  page(
    'Inbox',
    messages.length === 0
      ? '      <h1>Inbox</h1>\n      <p>No mail yet. What recaudo sends on this machine arrives here, and goes no further.</p>'
      : `      <h1>Inbox</h1>\n      <ol>\n${messages.map(row).join('\n')}\n      </ol>`,
  );

export const messagePage = (message: Message): string =>
  page(
    subjectOf(message),
    `      <p><a href="/">Inbox</a></p>
      <h1>${escaped(subjectOf(message))}</h1>
      <dl>
        <dt>From</dt>
        <dd>${escaped(message.from)}</dd>
        <dt>To</dt>
        <dd>${escaped(message.to.join(', '))}</dd>
        <dt>Date</dt>
        <dd>${moment(message.date)}</dd>
      </dl>
      <pre>${withLinks(message.text ?? message.html ?? '(nothing in it)')}</pre>`,
  );

export const missingPage = (): string =>
  page('Not found', '      <h1>There is no such mail</h1>\n      <p><a href="/">Inbox</a></p>');
