import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Makes a closing server wait for the requests in flight, and for nothing else. */
export function closeGracefully(instance: FastifyInstance): void {
  const { server } = instance;
  /** Connections without a request in progress: unused, with an incomplete request, or between two requests. */
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
    // A connection that is kept alive would delay the shutdown by its idle timeout after the last response.
    if (isClosing) reply.header('connection', 'close');
    done();
  });
}
