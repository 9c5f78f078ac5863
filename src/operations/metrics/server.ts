/** Serves the metrics page and a liveness probe without authentication, at their own address, never at that of the API. */
import { createServer, type Server } from 'node:http';
import { FatalError } from '../../platform/lifetime';
import { isThisMachine } from '../../platform/networks';
import { isForOwnHost } from '../../platform/traffic/ownHost';

const TEXT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Resolves when listening. Never closed: it ends with the process. */
export function serveMetrics(host: string, port: number, read: () => Promise<string>): Promise<Server> {
  const server = createServer((request, response) => {
    if (isThisMachine(host) && !isForOwnHost(request, response)) return;
    if (request.url === '/health') return void response.writeHead(200, { 'content-type': TEXT_TYPE }).end('up\n');
    const isPage = request.url === '/metrics' || request.url === '/';
    if (!isPage || request.method !== 'GET') return void response.writeHead(404).end();
    read().then(
      text => response.writeHead(200, { 'content-type': TEXT_TYPE }).end(text),
      error => response.writeHead(500).end(`${error.message}\n`),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new FatalError(`Cannot serve metrics at ${host}, port ${port}: ${error.code ?? error.message}.`)),
    );
    server.listen(port, host, () => resolve(server.unref()));
  });
}
