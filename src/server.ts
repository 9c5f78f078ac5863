import type { Socket } from 'node:net';
import type { Client } from '@temporalio/client';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Database } from './database';
import type { Log } from './log';
import { readiness } from './readiness';

export interface Parts {
  db: Database;
  temporal: Client;
  log: Log;
}

/** The HTTP server of one environment. Closing it finishes the requests in flight and drops idle connections. */
export function createServer({ db, temporal, log }: Parts): FastifyInstance {
  const server = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
  });

  const dropUnasked = watchConnections(server);
  // A kept-alive connection would hold the closing for its idle time after the last answer.
  let closing = false;
  server.addHook('preClose', async () => {
    closing = true;
    dropUnasked();
  });
  server.addHook('onSend', async (_, reply) => {
    if (closing) reply.header('connection', 'close');
  });

  server.get('/health', async () => ({ status: 'up' }));

  server.get('/ready', async (_, reply) => {
    const parts = await readiness(db, temporal);
    return reply.status(Object.values(parts).every(state => state === 'up') ? 200 : 503).send(parts);
  });

  return server;
}

/** Answers what drops every connection on which no whole request has come: nobody waits for an answer there. */
function watchConnections({ server }: FastifyInstance): () => void {
  const unasked = new Set<Socket>();
  server.on('connection', socket => {
    unasked.add(socket);
    socket.once('close', () => unasked.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    unasked.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) unasked.add(socket);
    });
  });
  return () => {
    for (const socket of unasked) socket.destroy();
  };
}
