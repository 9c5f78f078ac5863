/** Layout of the front page and the reference. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html } from '../../platform/html';
import { pageHeaders } from '../layout';
import { icon } from '../look/assets';

interface Frame {
  language: 'es' | 'en';
  title: string;
  style: string;
  script: string;
  /** The stripe that says test mode; none in production. */
  stripe?: string | false;
  skip: string;
  bar: Html;
  body: Html;
}

/** Whether the client accepts HTML; other clients get JSON. */
export const wantsPage = ({ headers }: FastifyRequest): boolean => /\btext\/html\b/i.test(headers.accept ?? '');

export const pageOf = ({ language, title, style, script, stripe, skip, bar, body }: Frame): string =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${icon.url}" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<a class="skip" href="#content">${skip}</a>
${stripe && html`<p class="sandbox">${stripe}</p>`}
<header class="bar"><a class="mark" href="/"><img src="${icon.url}" alt="">recaudo</a>${bar}</header>
${body}
</body>
</html>
`.text;

export const sendFramed = (reply: FastifyReply, language: string, page: string | Buffer): FastifyReply =>
  reply
    .headers({ ...pageHeaders(), 'content-language': language })
    .header('vary', 'accept, accept-encoding, accept-language')
    .type('text/html; charset=utf-8')
    .send(page);
