/** HTML pages of the inbox. E-mail content is escaped and shown as text; an HTML part also in a sandboxed frame. */
import { type Html, html } from '../../platform/html';
import type { Message } from './message';

/** Excludes trailing punctuation and brackets. */
const URL_PATTERN = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/;

const linkUrls = (text: string): Html[] =>
  text
    .split(URL_PATTERN)
    .map((piece, index) => (index % 2 === 1 ? html`<a href="${piece}" rel="noreferrer">${piece}</a>` : html`${piece}`));

const renderPage = (title: string, body: Html): string =>
  html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} – recaudo mail</title>
    <link rel="stylesheet" href="/mailbox.css">
  </head>
  <body>
    <main>
${body}
    </main>
  </body>
</html>
`.text;

const subjectOf = ({ subject }: Message): string => subject || '(no subject)';

const renderTime = (date: string): Html =>
  html`<time datetime="${date}">${date.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</time>`;

const renderRow = (message: Message): Html => html`        <li>
          <a href="/messages/${message.id}">${subjectOf(message)}</a>
          <p>from ${message.from}</p>
          <p>to ${message.to.join(', ')}</p>
          <p>${renderTime(message.date)}</p>
        </li>
`;

export const inboxPage = (messages: Message[]): string =>
  renderPage(
    'Inbox',
    messages.length === 0
      ? html`      <h1>Inbox</h1>
      <p>No mail yet. What recaudo sends on this machine arrives here, and goes no further.</p>`
      : html`      <h1>Inbox</h1>
      <ol>
${messages.map(renderRow)}      </ol>`,
  );

export const messagePage = (message: Message): string =>
  renderPage(
    subjectOf(message),
    html`      <p><a href="/">Inbox</a></p>
      <h1>${subjectOf(message)}</h1>
      <dl>
        <dt>From</dt>
        <dd>${message.from}</dd>
        <dt>To</dt>
        <dd>${message.to.join(', ')}</dd>
        <dt>Date</dt>
        <dd>${renderTime(message.date)}</dd>
      </dl>
      <div class="parts">
        <pre>${linkUrls(message.text ?? message.html ?? '(nothing in it)')}</pre>
        ${message.html && html`<iframe src="/messages/${message.id}/html" title="HTML part" sandbox></iframe>`}
      </div>`,
  );

export const missingPage = (): string =>
  renderPage(
    'Not found',
    html`      <h1>There is no such mail</h1>
      <p><a href="/">Inbox</a></p>`,
  );
