/** A page rendered by its script: the dashboard and the operators' page. */
import type { FastifyInstance } from 'fastify';
import type { Environment } from '../../../prisma/generated/enums';
import { rejectOtherMethods } from '../../api/methodNotAllowed';
import { html } from '../../platform/html';
import { textsFor } from '../layout';
import { builtFile, builtScript, icon, serveFile } from '../look/assets';
import type { Texts } from '../texts';
import { sendFramed, wantsPage } from './frame';

interface PageUrls {
  script: string;
  shared: string[];
  style: string;
}

/** `name` is the file name of the script and the style sheet. */
export function addScriptPage(server: FastifyInstance, environment: Environment, name: string, paths: string[]): void {
  const { script, modules } = builtScript(name);
  const served = modules.map(module => serveFile(server, module));
  const urls = {
    script: serveFile(server, script),
    // Modules that the script and its further modules share.
    shared: served.filter(url => url.endsWith('-chunk.js')),
    style: serveFile(server, builtFile(`${name}.css`)),
  };
  for (const path of paths) {
    server.get(path, (request, reply) => {
      if (!wantsPage(request)) return reply.callNotFound();
      const t = textsFor(request);
      return sendFramed(reply, t.language, render(t, environment, urls));
    });
    rejectOtherMethods(server, path, ['GET']);
  }
}

const render = (t: Texts, environment: Environment, { script, shared, style }: PageUrls): string =>
  html`<!doctype html>
<html lang="${t.language}" data-environment="${environment}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>recaudo</title>
<link rel="icon" href="${icon.url}" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
${shared.map(url => html`<link rel="modulepreload" href="${url}">`)}
<script type="module" src="${script}"></script>
</head>
<body>
<noscript><p>${t.needsScript}</p></noscript>
</body>
</html>
`.text;
