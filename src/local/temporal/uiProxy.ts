/** Serves the Temporal UI, which itself answers any host, to requests for this machine only. */
import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import { pipeline } from 'node:stream';
import { isForOwnHost } from '../../platform/traffic/ownHost';

const HOST = '127.0.0.1';

/** `uiPort` must be a port that browsers refuse, because requests there are not checked. Closed with the process. */
export async function serveTemporalUi(port: number, uiPort: number): Promise<void> {
  const server = createServer((request, response) => {
    if (!isForOwnHost(request, response)) return;
    const { method, url, headers } = request;
    const options = { host: HOST, port: uiPort, method, path: url, headers, agent: false } as const;
    const forwarded = forward(options, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response, () => undefined);
    });
    forwarded.once('error', () => {
      if (!response.headersSent) response.writeHead(502, { 'content-type': 'text/plain' });
      response.end('The Temporal UI does not respond.\n');
    });
    response.once('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
  await once(server.listen(port, HOST).unref(), 'listening');
}
