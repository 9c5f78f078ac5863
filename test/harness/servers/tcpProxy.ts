import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { atTheEnd } from '../flow/atTheEnd';

/** A TCP proxy with which tests disconnect, stall and restore the network. Closed when the test ends. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private state: 'forwarding' | 'closed to new ones' | 'disconnected' | 'stalled' = 'forwarding';
  private readonly server = createServer(near => this.accept(near));

  private constructor(private readonly target: URL) {}

  static async start(target: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(target));
    atTheEnd(() => proxy.close());
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  /** The target's URL through the proxy. */
  get url(): string {
    return Object.assign(new URL(this.target), {
      port: String((this.server.address() as AddressInfo).port),
    }).toString();
  }

  restore(): void {
    this.state = 'forwarding';
    for (const socket of this.sockets) socket.resume();
  }

  /** Refuses new connections; open connections stay until the server closes them. */
  refuse(): void {
    this.state = 'closed to new ones';
  }

  /** Closes every connection and refuses new ones. */
  disconnect(): void {
    this.state = 'disconnected';
    for (const socket of this.sockets) socket.destroy();
  }

  /** Keeps connections open but forwards nothing, not even their end. */
  stall(): void {
    this.state = 'stalled';
    for (const socket of this.sockets) socket.pause();
  }

  private close(): void {
    this.disconnect();
    this.server.close();
  }

  private accept(client: Socket): void {
    if (this.state === 'disconnected' || this.state === 'closed to new ones') return void client.destroy();
    const upstream = connect(Number(this.target.port), this.target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(from);
      from.on('data', chunk => this.state !== 'stalled' && to.write(chunk));
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }
}
