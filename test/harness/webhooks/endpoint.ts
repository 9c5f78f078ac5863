/** A merchant's webhook endpoint: records what it receives and responds as the test says. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  // biome-ignore lint/suspicious/noExplicitAny: tests check its shape
  body: any;
  text: string;
  headers: IncomingHttpHeaders;
  path: string;
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
  let respond: (request: Received) => number | Promise<number> = () => 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', async () => {
      const text = Buffer.concat(chunks).toString();
      const delivery = { body: JSON.parse(text), text, headers: request.headers, path: request.url ?? '' };
      const responding = respond(delivery);
      received.push(delivery);
      const status = await responding;
      // 0 means no response at all.
      if (status > 0) response.writeHead(status).end('thanks');
    });
  });
  beforeAll(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)));
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
  };
}
