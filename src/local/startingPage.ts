/** Answers at the port of the API until the API listens there. */
import fastify from 'fastify';
import { ApiError } from '../platform/errors';
import { html } from '../platform/html';
import { wantsPage } from '../web/front/frame';
import { sendPage, textsFor } from '../web/layout';
import { addAssets } from '../web/look/assets';
import type { Settings } from './settings';

const RELOAD_SECONDS = 2;

/** Returns a function that releases the port. */
export async function serveStartingPage({ HOST, PORT }: Settings): Promise<() => Promise<void>> {
  const server = fastify({ forceCloseConnections: true });
  addAssets(server);
  server.setNotFoundHandler((request, reply) => {
    reply.header('retry-after', `${RELOAD_SECONDS}`);
    if (!wantsPage(request)) return reply.status(503).send(new ApiError('unavailable').body(request.id));
    const t = textsFor(request);
    return sendPage(request, reply, {
      title: t.starting,
      status: 503,
      head: html`<meta http-equiv="refresh" content="${RELOAD_SECONDS}">`,
      body: html`<h1>${t.starting}</h1><p>${t.startingHint}</p>`,
    });
  });
  await server.listen({ host: HOST, port: PORT });
  return () => server.close();
}
