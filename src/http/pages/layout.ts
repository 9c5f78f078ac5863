/** What all pages share: the layout, the HTTP headers, and the files that they load. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html } from '../../platform/html';
import { fromRoot } from '../../platform/root';
import { recall } from './payerCookies';
import { isLanguage, type Language, languageOf, type Texts, texts } from './texts';

/** The URL contains a hash of the content, so that browsers may cache the file forever. */
export const assets = Object.entries({
  'pay.css': ['text/css', 'tokens.css', 'pay.css', 'live.css'],
  'pay.js': ['text/javascript', 'pay.js'],
  'icon.svg': ['image/svg+xml', 'icon.svg'],
}).map(([name, [type, ...files]]) => {
  const content = files.map(file => readFileSync(fromRoot(`src/http/pages/${file}`), 'utf8')).join('');
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { url: `/pages/${hash}/${name}`, type: `${type}; charset=utf-8`, content };
});
const [style, script, icon] = assets;

export const IMMUTABLE_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
};

/** `formTargets` are further origins to which a form of the page may lead. */
const pageHeaders = (formTargets = ''): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'",
    `form-action 'self'${formTargets}; base-uri 'none'; frame-ancestors 'none'`,
  ].join('; '),
  'cache-control': 'no-store',
  'permissions-policy': 'payment=(), camera=(), microphone=(), geolocation=()',
  // The URL of a page is a secret: other sites must not learn it.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
});

export interface Page {
  title: string;
  body: Html;
  status?: number;
  /** Extra elements for the head. */
  head?: Html;
  /** The merchant's name. */
  merchant?: string;
  isSandbox?: boolean;
}

export function textsFor(request: FastifyRequest): Texts {
  return texts[requestedLanguage(request)];
}

const requestedLanguage = (request: FastifyRequest): Language =>
  chosenLanguage(request) ?? languageOf(request.headers['accept-language']);

/** By the address, or earlier on the way to a bank that gives no language back. */
export function chosenLanguage(request: FastifyRequest): Language | undefined {
  const { lang } = request.query as Record<string, unknown>;
  return [lang, recall(request, 'lang')].find(isLanguage);
}

/** Keeps the language that was chosen on a page for the next one. */
export function withLanguage(request: FastifyRequest, url: string): string {
  const language = chosenLanguage(request);
  return language ? `${url}${url.includes('?') ? '&' : '?'}lang=${language}` : url;
}

export function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page, formTargets = '') {
  const t = textsFor(request);
  if (page.status === 429) reply.header('retry-after', '60');
  reply
    .status(page.status ?? 200)
    .headers({ ...pageHeaders(formTargets), 'content-language': t.language, vary: 'accept-language' });
  return reply.type('text/html; charset=utf-8').send(render(t, page));
}

function render(t: Texts, { title, body, head, merchant, isSandbox }: Page): string {
  const otherLanguage = t.language === 'es' ? 'en' : 'es';
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
<header><span>${merchant ?? 'recaudo'}</span> <a href="?lang=${otherLanguage}" lang="${otherLanguage}" hreflang="${otherLanguage}">${t.other}</a></header>
<main>
${body}
</main>
</body>
</html>
`.text;
}

export function addAssets(server: FastifyInstance): void {
  for (const { url, type, content } of assets) {
    server.get(url, (_, reply) => reply.headers(IMMUTABLE_HEADERS).type(type).send(content));
  }
}
