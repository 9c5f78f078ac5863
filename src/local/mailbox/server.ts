/** HTTP server of the inbox, with HTML pages and JSON. */
import { readFileSync } from 'node:fs';
import fastify, { type FastifyInstance } from 'fastify';
import { fromRoot } from '../../platform/root';
import { serveOwnHostsOnly } from '../../platform/traffic/ownHost';
import type { Inbox } from './inbox';
import { inboxPage, messagePage, missingPage } from './page';

/** No external or inline content; frames only of HTML parts. */
const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** An HTML part comes from the sender of the e-mail: no scripts, no requests, no navigation. */
const partHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox",
  'x-dns-prefetch-control': 'off',
};

const HTML = 'text/html; charset=utf-8';

export function createMailServer(inbox: Inbox): FastifyInstance {
  const server = fastify({ forceCloseConnections: true });
  serveOwnHostsOnly(server);
  const stylesheet = readFileSync(fromRoot('dist/browser/mailbox.css'), 'utf8');
  server.addHook('onRequest', async (_, reply) => {
    reply.headers(headers);
  });

  server.get('/health', async () => ({ status: 'up' }));
  server.get('/mailbox.css', (_, reply) => reply.type('text/css; charset=utf-8').send(stylesheet));
  server.get('/', (_, reply) => reply.type(HTML).send(inboxPage(inbox.list())));
  server.get('/messages', async request => inbox.list((request.query as { to?: string }).to?.toString()));
  server.delete('/messages', async (_, reply) => {
    await inbox.clear();
    return reply.status(204).send();
  });
  server.get('/messages/:id', (request, reply) => {
    const message = inbox.find((request.params as { id: string }).id);
    return reply
      .type(HTML)
      .status(message ? 200 : 404)
      .send(message ? messagePage(message) : missingPage());
  });
  server.get('/messages/:id/html', (request, reply) => {
    const part = inbox.find((request.params as { id: string }).id)?.html;
    if (!part) return reply.type(HTML).status(404).send(missingPage());
    return reply.headers(partHeaders).type(HTML).send(part);
  });
  return server;
}
