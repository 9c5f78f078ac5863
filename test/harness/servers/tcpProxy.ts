import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut, silenced and mended, as networks are. */
export class Detour {
  private readonly sockets = new Set<Socket>();
  private state: 'open' | 'cut' | 'silent' = 'open';
  private readonly server = createServer(near => this.accept(near));

  private constructor(private readonly target: URL) {}

  static async to(target: string): Promise<Detour> {
    const detour = new Detour(new URL(target));
    detour.server.listen(0, '127.0.0.1');
    await once(detour.server, 'listening');
    return detour;
  }

  /** The target's address by way of here. */
  get url(): string {
    return Object.assign(new URL(this.target), {
      port: String((this.server.address() as AddressInfo).port),
    }).toString();
  }

  open(): void {
    this.state = 'open';
    for (const socket of this.sockets) socket.resume();
  }

  /** Every connection is broken off, and no new one comes about. */
  cut(): void {
    this.state = 'cut';
    for (const socket of this.sockets) socket.destroy();
  }

  /** Connections stay, but nothing passes any more, not even a goodbye. */
  silence(): void {
    this.state = 'silent';
    for (const socket of this.sockets) socket.pause();
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
  }

  private accept(near: Socket): void {
    if (this.state === 'cut') return void near.destroy();
    const far = connect(Number(this.target.port), this.target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.on('data', chunk => this.state === 'open' && to.write(chunk));
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }
}
