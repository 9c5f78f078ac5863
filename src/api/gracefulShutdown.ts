import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Lets a closing server complete the requests in flight and close all idle connections. */
export function enableGracefulShutdown(instance: FastifyInstance): void {
  const { server } = instance;
  /** Connections without a request in progress: unused, still sending a request, or between two requests. */
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

  let isClosing = false;
  instance.addHook('preClose', async () => {
    isClosing = true;
    for (const socket of idleSockets) socket.destroy();
  });
  instance.addHook('onSend', (_, reply, _payload, done) => {
    // A keep-alive connection would delay the shutdown by its idle timeout.
    if (isClosing) reply.header('connection', 'close');
    done();
  });
}
