/** A merchant's webhook endpoint: records requests and responds as the test specifies. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  // biome-ignore lint/suspicious/noExplicitAny: tests check its shape
  body: any;
  text: string;
  headers: IncomingHttpHeaders;
  path: string;
  /** The number of earlier requests to this path that had no response when this request arrived. */
  openBefore: number;
}

export const isSignedBy = ({ headers, text }: Received, secret: string): boolean => {
  const [time, ...signatures] = String(headers.signature).split(',');
  const expected = createHmac('sha256', secret)
    .update(`${time?.slice(2)}.${text}`)
    .digest('hex');
  return signatures.includes(`v1=${expected}`);
};

export function testReceiver() {
  const received: Received[] = [];
  /** Requests without a response, in the order of their arrival. */
  const unanswered = new Map<Received, ServerResponse>();
  let respond: (request: Received) => number | Promise<number> = () => 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', async () => {
      const text = Buffer.concat(chunks).toString();
      const path = request.url ?? '';
      const openBefore = open(path).length;
      const delivery = { body: JSON.parse(text), text, headers: request.headers, path, openBefore };
      unanswered.set(delivery, response);
      response.on('close', () => unanswered.delete(delivery));
      const responding = respond(delivery);
      received.push(delivery);
      const status = await responding;
      // 0 means no response, unless the test gives one by hand.
      if (status > 0) answer(delivery, status);
    });
  });
  // In a halted test process, this would close a connection on which data was just sent.
  server.keepAliveTimeout = 0;
  const open = (path: string): Received[] => [...unanswered.keys()].filter(delivery => delivery.path === path);
  const answer = (delivery: Received, status = 200): void => {
    const response = unanswered.get(delivery);
    unanswered.delete(delivery);
    response?.writeHead(status).end('thanks');
  };
  beforeAll(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)));
  /** Responds to everything, now and from now on. */
  const releaseAll = (): void => {
    respond = () => 200;
    for (const delivery of unanswered.keys()) answer(delivery);
  };
  afterEach(releaseAll);
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    received,
    url: (path = '/hook') => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    answers: (newRespond: typeof respond) => {
      respond = newRespond;
    },
    at: (path: string) => received.filter(delivery => delivery.path === path),
    open,
    /** Responds to requests that are open. */
    release: (deliveries: Received[], status?: number) => {
      for (const delivery of deliveries) answer(delivery, status);
    },
    releaseAll,
  };
}
