/** Layout and HTTP headers of the pages for payers. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html } from '../platform/html';
import { isLanguage, type Language } from '../platform/language';
import { type Appearance, appearanceHead, merchantMark, supportFooter } from './look/appearance';
import { icon, script, style } from './look/assets';
import { recall } from './payerCookies';
import { languageOf, type Texts, texts } from './texts';

/** `formTargets` are additional origins that forms may redirect to. */
export const pageHeaders = (formTargets = ''): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'",
    `form-action 'self'${formTargets}; base-uri 'none'; frame-ancestors 'none'`,
  ].join('; '),
  'cache-control': 'no-store',
  'permissions-policy': 'payment=(), camera=(), microphone=(), geolocation=()',
  // Page URLs are secret and must not leak to other sites.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
});

export interface Page {
  title: string;
  body: Html;
  status?: number;
  head?: Html;
  /** Name of the merchant. */
  merchant?: string;
  appearance?: Appearance;
  isSandbox?: boolean;
}

export function textsFor(request: FastifyRequest): Texts {
  return texts[requestedLanguage(request)];
}

const requestedLanguage = (request: FastifyRequest): Language =>
  chosenLanguage(request) ?? languageOf(request.headers['accept-language']);

/** From the URL, or from the cookie set before the payer went to a bank, which drops the query. */
export function chosenLanguage(request: FastifyRequest): Language | undefined {
  const { lang } = request.query as Record<string, unknown>;
  return [lang, recall(request, 'lang')].find(isLanguage);
}

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

function render(t: Texts, { title, body, head, merchant, appearance, isSandbox }: Page): string {
  const otherLanguage = t.language === 'es' ? 'en' : 'es';
  return html`<!doctype html>
<html lang="${t.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${merchant ? `${title} – ${merchant}` : title}</title>
<link rel="icon" href="${icon.url}" type="image/svg+xml">
<link rel="stylesheet" href="${style.url}">
${appearance && appearanceHead(appearance)}
<script type="module" src="${script.url}"></script>
${head}
</head>
<body>
${isSandbox && html`<p class="sandbox">${t.sandbox}</p>`}
<header>${merchantMark(appearance, merchant ?? 'recaudo')} <a href="?lang=${otherLanguage}" lang="${otherLanguage}" hreflang="${otherLanguage}">${t.other}</a></header>
<main>
${body}
</main>
${appearance && supportFooter(t, appearance)}
</body>
</html>
`.text;
}
