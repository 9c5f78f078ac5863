/** `/`: a page for browsers, and the addresses of the API for other clients. */
import type { FastifyInstance } from 'fastify';
import type { Environment } from '../../../prisma/generated/enums';
import { rejectOtherMethods } from '../../api/methodNotAllowed';
import { html } from '../../platform/html';
import { chosenLanguage } from '../layout';
import { frontScript, frontStyle } from '../look/assets';
import { languageOf } from '../texts';
import { pageOf, sendFramed, wantsPage } from './frame';
import { frontTexts } from './texts';
import { frontPage, type NeighbourPages, productionPage } from './view';

interface FrontPage {
  environment: Environment;
  publicUrl: string;
  neighbours?: NeighbourPages;
  /** Whether it is production without the checks of NODE_ENV=production. */
  isTrial?: boolean;
}

export function addFrontPage(
  server: FastifyInstance,
  { environment, publicUrl, neighbours = {}, isTrial = false }: FrontPage,
): void {
  const addresses = {
    name: 'recaudo',
    environment,
    documentation: `${publicUrl}/docs`,
    openapi: `${publicUrl}/openapi.json`,
    api: `${publicUrl}/v1/{merchant_id}`,
    graphql: `${publicUrl}/graphql`,
    health: `${publicUrl}/health`,
  };
  rejectOtherMethods(server, '/', ['GET']);
  server.get('/', (request, reply) => {
    if (!wantsPage(request)) return reply.header('vary', 'accept').send(addresses);
    const t = frontTexts[chosenLanguage(request) ?? languageOf(request.headers['accept-language'])];
    const isSandbox = environment === 'sandbox';
    const other = t.language === 'es' ? 'en' : 'es';
    const page = pageOf({
      language: t.language,
      title: isSandbox ? 'recaudo – sandbox' : 'recaudo',
      style: frontStyle.url,
      script: frontScript.url,
      stripe: isSandbox ? t.sandbox : isTrial && t.trial,
      skip: t.skip,
      bar: html`<a href="?lang=${other}" lang="${other}" hreflang="${other}">${t.other}</a>`,
      body: isSandbox ? frontPage(t, neighbours) : productionPage(t),
    });
    return sendFramed(reply, t.language, page);
  });
}
