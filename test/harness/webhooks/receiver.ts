import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { atTheEnd } from '../flow/atTheEnd';

export interface Received {
  line: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** In a halted test process, this would close a connection on which data was just sent. */
const WITHOUT_TIMEOUT = { keepAliveTimeout: 0 };

/**
 * An HTTP, HTTPS or raw TCP server that records requests and connections, for tests of the sender. Closed when the test
 * ends.
 */
export class Receiver {
  readonly received: Received[] = [];
  readonly sockets = new Set<Socket>();
  /** Every connection so far, including closed ones. */
  readonly allSockets: Socket[] = [];

  private constructor(private readonly server: Server) {
    atTheEnd(() => {
      server.close();
      for (const socket of this.sockets) socket.destroy();
    });
    server.on('connection', (socket: Socket) => {
      this.allSockets.push(socket);
      this.sockets.add(socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket)));
    });
  }

  static start(act: (response: ServerResponse) => unknown = response => response.end('ok'), host = '127.0.0.1') {
    return Receiver.startOn(listener => createServer(WITHOUT_TIMEOUT, listener), act, host);
  }

  static startSecure(
    certificate: { key: string; cert: string },
    act: (response: ServerResponse) => unknown = response => response.end('ok'),
  ) {
    return Receiver.startOn(listener => createSecureServer({ ...certificate, ...WITHOUT_TIMEOUT }, listener), act);
  }

  /** A TCP server that writes arbitrary bytes. */
  static async startRaw(act: (socket: Socket) => unknown): Promise<Receiver> {
    const receiver = new Receiver(
      createTcpServer(socket => {
        act(socket);
        // A socket that is not read does not notice that the peer has closed.
        socket.resume();
      }),
    );
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get connections(): number {
    return this.allSockets.length;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  private static async startOn(
    createServer: (listener: RequestListener) => Server,
    act: (response: ServerResponse) => unknown,
    host = '127.0.0.1',
  ): Promise<Receiver> {
    const receiver: Receiver = new Receiver(
      createServer((request, response) => {
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
