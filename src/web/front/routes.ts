/** `/` for browsers. Other clients get 404. */
import type { FastifyInstance } from 'fastify';
import type { Environment } from '../../../prisma/generated/enums';
import { html } from '../../platform/html';
import { chosenLanguage } from '../layout';
import { frontScript, frontStyle } from '../look/assets';
import { languageOf } from '../texts';
import { pageOf, sendFramed, wantsPage } from './frame';
import { frontTexts } from './texts';
import { frontPage, type NeighbourPages, productionPage } from './view';

export function addFrontPage(server: FastifyInstance, environment: Environment, neighbours: NeighbourPages): void {
  server.get('/', (request, reply) => {
    if (!wantsPage(request)) return reply.callNotFound();
    const t = frontTexts[chosenLanguage(request) ?? languageOf(request.headers['accept-language'])];
    const isSandbox = environment === 'sandbox';
    const other = t.language === 'es' ? 'en' : 'es';
    const page = pageOf({
      language: t.language,
      title: isSandbox ? 'recaudo – sandbox' : 'recaudo',
      style: frontStyle.url,
      script: frontScript.url,
      stripe: isSandbox && t.sandbox,
      skip: t.skip,
      bar: html`<a href="?lang=${other}" lang="${other}" hreflang="${other}">${t.other}</a>`,
      body: isSandbox ? frontPage(t, neighbours) : productionPage(t),
    });
    return sendFramed(reply, t.language, page);
  });
}
