/** The HTML pages of the inbox. Mail content is always escaped and shown as text. */
import type { Message } from './message';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => entities[character] ?? '');

/** Punctuation or a bracket after a URL is not part of it. */
const URL_PATTERN = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/;

const linkUrls = (text: string): string =>
  text
    .split(URL_PATTERN)
    .map((piece, index) =>
      index % 2 === 1 ? `<a href="${escapeHtml(piece)}" rel="noreferrer">${escapeHtml(piece)}</a>` : escapeHtml(piece),
    )
    .join('');

const renderPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(title)} – recaudo mail</title>
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

const renderTime = (date: string): string =>
  `<time datetime="${date}">${date.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</time>`;

const renderRow = (message: Message): string => `        <li>
          <a href="/messages/${message.id}">${escapeHtml(subjectOf(message))}</a>
          <p>from ${escapeHtml(message.from)}</p>
          <p>to ${escapeHtml(message.to.join(', '))}</p>
          <p>${renderTime(message.date)}</p>
        </li>`;

export const inboxPage = (messages: Message[]): string =>
  renderPage(
    'Inbox',
    messages.length === 0
      ? '      <h1>Inbox</h1>\n      <p>No mail yet. What recaudo sends on this machine arrives here, and goes no further.</p>'
      : `      <h1>Inbox</h1>\n      <ol>\n${messages.map(renderRow).join('\n')}\n      </ol>`,
  );

export const messagePage = (message: Message): string =>
  renderPage(
    subjectOf(message),
    `      <p><a href="/">Inbox</a></p>
      <h1>${escapeHtml(subjectOf(message))}</h1>
      <dl>
        <dt>From</dt>
        <dd>${escapeHtml(message.from)}</dd>
        <dt>To</dt>
        <dd>${escapeHtml(message.to.join(', '))}</dd>
        <dt>Date</dt>
        <dd>${renderTime(message.date)}</dd>
      </dl>
      <pre>${linkUrls(message.text ?? message.html ?? '(nothing in it)')}</pre>`,
  );

export const missingPage = (): string =>
  renderPage('Not found', '      <h1>There is no such mail</h1>\n      <p><a href="/">Inbox</a></p>');
