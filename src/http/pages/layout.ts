/** What all pages have in common: head and foot, the headers they go out with, and the files they load. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html } from '../../platform/html';
import { fromRoot } from '../../platform/root';
import { type Language, languageOf, type Texts, texts } from './texts';

/** Named by what is in them, so that a browser keeps them for good. */
export const assets = Object.entries({
  'pay.css': 'text/css',
  'pay.js': 'text/javascript',
  'icon.svg': 'image/svg+xml',
}).map(([name, type]) => {
  const content = readFileSync(fromRoot(`src/http/pages/${name}`), 'utf8');
  const mark = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { url: `/pages/${mark}/${name}`, type: `${type}; charset=utf-8`, content };
});
const [style, script, icon] = assets;

export const FOR_GOOD = { 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' };

/** `beyond` are addresses that a form of the page may lead to, besides its own. */
export const pageHeaders = (beyond = ''): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'",
    `form-action 'self'${beyond}; base-uri 'none'; frame-ancestors 'none'`,
  ].join('; '),
  'cache-control': 'no-store',
  'permissions-policy': 'payment=(), camera=(), microphone=(), geolocation=()',
  // The address of a page is a secret between us and its payer.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
});

export interface Page {
  title: string;
  body: Html;
  status?: number;
  /** In the head. */
  head?: Html;
  /** Whose page it is. */
  merchant?: string;
  isSandbox?: boolean;
}

/** The texts of whoever asks. */
export function textsFor(request: FastifyRequest): Texts {
  return texts[chosenIn(request)];
}

const chosenIn = ({ query, headers }: FastifyRequest): Language =>
  languageOf((query as Record<string, unknown>).lang, headers['accept-language']);

/** A language that was chosen on a page stays chosen on the next. */
export function keepLanguage({ query }: FastifyRequest, path: string): string {
  const { lang } = query as Record<string, unknown>;
  return lang === 'es' || lang === 'en' ? `${path}?lang=${lang}` : path;
}

export function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page, beyond = '') {
  const t = textsFor(request);
  if (page.status === 429) reply.header('retry-after', '60');
  reply
    .status(page.status ?? 200)
    .headers({ ...pageHeaders(beyond), 'content-language': t.language, vary: 'accept-language' });
  return reply.type('text/html; charset=utf-8').send(render(t, page));
}

function render(t: Texts, { title, body, head, merchant, isSandbox }: Page): string {
  const other = t.language === 'es' ? 'en' : 'es';
  return html`<!doctype html>
<html lang="${t.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${merchant ? `${title} – ${merchant}` : title}</title>
<link rel="icon" href="${icon?.url}" type="image/svg+xml">
<link rel="stylesheet" href="${style?.url}">
<script type="module" src="${script?.url}"></script>
${head}
</head>
<body>
${isSandbox && html`<p class="sandbox">${t.sandbox}</p>`}
<header><span>${merchant ?? 'recaudo'}</span> <a href="?lang=${other}" lang="${other}" hreflang="${other}">${t.other}</a></header>
<main>
${body}
</main>
</body>
</html>
`.text;
}

export function addAssets(server: FastifyInstance): void {
  for (const { url, type, content } of assets) {
    server.get(url, (_, reply) => reply.headers(FOR_GOOD).type(type).send(content));
  }
}
