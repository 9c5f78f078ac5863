import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { listeningError } from '../../../src/local/savedPorts';

/** Above the ports of outgoing connections and of servers that select their own port. */
const [MIN_PORT, END] = [61_000, 65_536];

export interface ClaimedPort {
  port: number;
  release(): void;
}

/**
 * A port on which a server listens later, for a program possibly much later. The claim holds the UDP port of the
 * same number, so that no test of any process gets the port before it is released.
 */
export async function claimPort(): Promise<ClaimedPort> {
  for (;;) {
    const port = randomInt(MIN_PORT, END);
    const claim = createSocket('udp4');
    if ((await isBound(claim, port)) && (await listeningError(port, '127.0.0.1')) === undefined)
      return { port, release: () => claim.close() };
    claim.close();
  }
}

const isBound = (socket: Socket, port: number): Promise<boolean> =>
  new Promise(resolve => {
    socket.once('error', () => resolve(false));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
