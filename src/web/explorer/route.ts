/** `GET /graphql` in a browser: the GraphQL explorer, in the sandbox. Other requests get the usual error. */
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
  /** Schema for the explorer, readable before sign-in. */
  schema: string;
}

/** `allow` is the Allow header of other requests. */
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
