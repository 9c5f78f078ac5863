import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Lets a closing server wait for the requests in flight, and for nothing else. */
export function closeGracefully(instance: FastifyInstance): void {
  const { server } = instance;
  /** Connections on which nobody waits for an answer: silent ones, those with half a request, those between two requests. */
  const idleSockets = new Set<Socket>();
  server.on('connection', socket => {
    idleSockets.add(socket);
    socket.once('close', () => idleSockets.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    idleSockets.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) idleSockets.add(socket);
    });
  });

  let closing = false;
  instance.addHook('preClose', async () => {
    closing = true;
    for (const socket of idleSockets) socket.destroy();
  });
  instance.addHook('onSend', async (_, reply) => {
    // Kept alive, the connection would hold the closing for its idle time after the last answer.
    if (closing) reply.header('connection', 'close');
  });
}
