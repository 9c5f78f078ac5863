import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

export interface Received {
  line: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Where a merchant listens: it keeps what arrives and answers as told. */
export class Receiver {
  readonly received: Received[] = [];
  readonly sockets = new Set<Socket>();
  /** Every connection that there ever was. */
  readonly arrived: Socket[] = [];

  private constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.arrived.push(socket);
      this.sockets.add(socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket)));
    });
  }

  static start(act: (response: ServerResponse) => unknown = response => response.end('ok'), host = '127.0.0.1') {
    return Receiver.listening(listener => createServer(listener), act, host);
  }

  static startSecure(certificate: { key: string; cert: string }) {
    return Receiver.listening(
      listener => createSecureServer(certificate, listener),
      response => response.end('ok'),
    );
  }

  /** One that speaks whatever it wants. */
  static async startRaw(act: (socket: Socket) => unknown): Promise<Receiver> {
    const receiver = new Receiver(
      createTcpServer(socket => {
        act(socket);
        // Who does not read is not told that the other side has gone.
        socket.resume();
      }),
    );
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get connections(): number {
    return this.arrived.length;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private static async listening(
    open: (listener: RequestListener) => Server,
    act: (response: ServerResponse) => unknown,
    host = '127.0.0.1',
  ): Promise<Receiver> {
    const receiver: Receiver = new Receiver(
      open((request, response) => {
        const chunks: Buffer[] = [];
        request
          .on('data', chunk => chunks.push(chunk))
          .on('end', () => {
            const line = `${request.method} ${request.url}`;
            receiver.received.push({ line, headers: request.headers, body: Buffer.concat(chunks).toString() });
            act(response);
          });
      }),
    );
    receiver.server.listen(0, host);
    await once(receiver.server, 'listening');
    return receiver;
  }
}
