import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { listeningError } from '../../../src/embedded/savedPorts';
import { atTheEnd } from '../flow/atTheEnd';

/** Above those of outgoing connections, and those that programs choose themselves. */
const [MIN_PORT, END] = [61_000, 65_536];

/**
 * A port for who listens on it later, which for a program can be long after. No other test gets it before this one ends,
 * nor does one of another process: it belongs to who holds the UDP port of the same number.
 */
export async function testPort(): Promise<number> {
  for (;;) {
    const port = randomInt(MIN_PORT, END);
    const claim = createSocket('udp4');
    if ((await isBound(claim, port)) && (await listeningError(port, '127.0.0.1')) === undefined) {
      atTheEnd(() => claim.close());
      return port;
    }
    claim.close();
  }
}

const isBound = (socket: Socket, port: number): Promise<boolean> =>
  new Promise(resolve => {
    socket.once('error', () => resolve(false));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
