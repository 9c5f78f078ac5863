import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TLSSocket, type TLSSocketOptions } from 'node:tls';
import { atTheEnd } from '../flow/atTheEnd';

/** The length of a PostgreSQL client's TLS request, and the positive response of the server. */
const POSTGRES_REQUEST_BYTES = 8;
const POSTGRES_YES = 'S';

/** Adds TLS to a server without TLS, until the test ends. Returns the port. */
export async function startTlsProxy(
  targetPort: number,
  options: TLSSocketOptions,
  protocol: 'temporal' | 'postgres',
): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => void forward(socket).catch(() => socket.destroy())).listen(0, '127.0.0.1');
  atTheEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;

  async function forward(socket: Socket): Promise<void> {
    sockets.add(socket.on('error', () => undefined));
    if (protocol === 'postgres') {
      await once(socket, 'readable');
      socket.read(POSTGRES_REQUEST_BYTES);
      socket.write(POSTGRES_YES);
    }
    const secure = new TLSSocket(socket, { isServer: true, ALPNProtocols: ['h2', 'postgresql'], ...options });
    const upstream = connect(targetPort, '127.0.0.1');
    sockets.add(upstream);
    for (const [from, to] of [
      [secure, upstream],
      [upstream, secure],
    ] as const)
      from
        .on('error', () => undefined)
        .on('close', () => to.destroy())
        .pipe(to);
  }
}
