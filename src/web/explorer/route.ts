/** `GET /graphql` in a browser: a page to try GraphQL with, in the sandbox. Everybody else is answered as elsewhere. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ApiError } from '../../platform/errors';
import { html } from '../../platform/html';
import { wantsPage } from '../front/frame';
import { pageHeaders, textsFor } from '../layout';
import { builtFile, icon, serveFile } from '../look/assets';
import type { Texts } from '../texts';

interface ExplorerUrls {
  script: string;
  style: string;
  /** What the explorer knows of the API without asking for it, so that it can be read before anybody signs in. */
  schema: string;
}

/** `allow` is what other requests are told of the methods of this path. */
export function addExplorer(server: FastifyInstance, allow: string): void {
  const urls = {
    script: serveFile(server, builtFile('explorer.js')),
    style: serveFile(server, builtFile('explorer.css')),
    schema: serveFile(server, builtFile('schema.graphql')),
  };
  server.get('/graphql', (request, reply) => {
    reply.header('vary', 'accept, accept-language');
    if (!wantsPage(request)) return refuse(reply, allow);
    const t = textsFor(request);
    return reply
      .headers({ ...pageHeaders(), 'content-language': t.language })
      .type('text/html; charset=utf-8')
      .send(render(t, urls));
  });
}

function refuse(reply: FastifyReply, allow: string): never {
  reply.header('allow', allow);
  throw new ApiError('method_not_allowed');
}

/** The script builds the rest. */
const render = (t: Texts, { script, style, schema }: ExplorerUrls): string =>
  html`<!doctype html>
<html lang="${t.language}" data-schema="${schema}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>GraphQL – recaudo</title>
<link rel="icon" href="${icon.url}" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<aside class="sandbox" aria-label="Sandbox">${t.sandbox}</aside>
<noscript><p class="notice">${t.needsScript}</p></noscript>
</body>
</html>
`.text;
