/**
 * Proxy between the programs and the acquirer. While it is cut, requests arrive but responses are lost; while it is slow,
 * responses are delayed.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, connect as openSocket, type Server, type Socket } from 'node:net';

const SLOW_MS = 3000;

export class AcquirerLink {
  state: 'good' | 'mute' | 'slow' = 'good';
  /** Number of lost or delayed responses. */
  lost = 0;
  late = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    acquirerPort: number,
  ) {
    server.on('connection', caller => {
      const acquirer = openSocket(acquirerPort, '127.0.0.1');
      // After a lost response the connection stays silent, or the caller would take the next response for it.
      let isDead = false;
      caller.pipe(acquirer);
      acquirer.on('data', chunk => {
        if (this.state === 'mute' && !isDead) this.lost += 1;
        isDead ||= this.state === 'mute';
        if (isDead) return;
        if (this.state === 'good') return void caller.write(chunk);
        this.late += 1;
        setTimeout(() => caller.writable && caller.write(chunk), SLOW_MS);
      });
      for (const [one, other] of [
        [caller, acquirer],
        [acquirer, caller],
      ] as const) {
        this.sockets.add(one);
        one.on('error', () => undefined);
        one.on('close', () => {
          this.sockets.delete(one);
          other.destroy();
        });
      }
    });
  }

  static async open(acquirerPort: number): Promise<AcquirerLink> {
    const server = createServer({ noDelay: true });
    const link = new AcquirerLink(server, acquirerPort);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return link;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}
