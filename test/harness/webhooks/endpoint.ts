/** A merchant's endpoint: verifies what it gets, and answers as it is told. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent
  body: any;
  text: string;
  headers: IncomingHttpHeaders;
  path: string;
}

export const isSignedBy = ({ headers, text }: Received, secret: string): boolean => {
  const [time, ...marks] = String(headers.signature).split(',');
  const mark = createHmac('sha256', secret)
    .update(`${time?.slice(2)}.${text}`)
    .digest('hex');
  return marks.includes(`v1=${mark}`);
};

export function testReceiver() {
  const received: Received[] = [];
  let answer: (request: Received) => number | Promise<number> = () => 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', async () => {
      const text = Buffer.concat(chunks).toString();
      const got = { body: JSON.parse(text), text, headers: request.headers, path: request.url ?? '' };
      const answering = answer(got);
      received.push(got);
      const status = await answering;
      // 0: no answer at all.
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
    answers: (by: typeof answer) => {
      answer = by;
    },
    at: (path: string) => received.filter(one => one.path === path),
  };
}
