/**
 * Protects servers without authentication from DNS rebinding: a website can let its own name resolve to this machine, and
 * its pages then send that name as the host. Own hosts are loopback, this machine, and a configured public URL.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { hostname } from 'node:os';
import type { FastifyInstance } from 'fastify';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Whether the request may be served; otherwise it has been answered with 421. The port may be that of a proxy. */
export function isForOwnHost(request: IncomingMessage, response: ServerResponse, publicUrl?: string): boolean {
  const [, name] = /^(\[[^\]]+\]|[^:]+)(?::\d+)?$/.exec(request.headers.host ?? '') ?? [];
  const isOwn = ownNames(request.socket, publicUrl).some(own => own.toLowerCase() === name?.toLowerCase());
  if (!isOwn) response.writeHead(421, { 'content-type': 'text/plain' }).end('This server does not serve this host.\n');
  return isOwn;
}

function ownNames(socket: Socket, publicUrl: string | undefined): string[] {
  const { address = '' } = socket.address() as Partial<AddressInfo>;
  const bare = address.replace(/^::ffff:/, '');
  const own = [...LOOPBACK, hostname(), bare.includes(':') ? `[${bare}]` : bare];
  return publicUrl ? [...own, new URL(publicUrl).hostname] : own;
}

export function serveOwnHostsOnly(server: FastifyInstance, publicUrl?: () => string): void {
  server.addHook('onRequest', ({ raw }, reply, done) => {
    if (isForOwnHost(raw, reply.raw, publicUrl?.())) done();
    else reply.hijack();
  });
}
