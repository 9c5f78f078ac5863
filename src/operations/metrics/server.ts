/** A page of metrics, at an address of its own: never at that of the API, and without a key. */
import { createServer, type Server } from 'node:http';
import { FatalError } from '../../platform/lifetime';

const TEXT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Resolves once it listens. Closing it is left to the end of the process. */
export function serveMetrics(host: string, port: number, read: () => Promise<string>): Promise<Server> {
  const server = createServer((request, response) => {
    const isPage = request.url === '/metrics' || request.url === '/';
    if (!isPage || request.method !== 'GET') return void response.writeHead(404).end();
    read().then(
      text => response.writeHead(200, { 'content-type': TEXT_TYPE }).end(text),
      error => response.writeHead(500).end(`${error.message}\n`),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new FatalError(`The metrics cannot be shown at ${host}, port ${port}: ${error.code ?? error.message}.`)),
    );
    server.listen(port, host, () => resolve(server.unref()));
  });
}
