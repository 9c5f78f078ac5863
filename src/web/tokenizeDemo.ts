/** The sandbox's example of how a browser creates a token: static files, the same for everybody. */
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { rejectOtherMethods } from '../api/methodNotAllowed';
import { fromRoot } from '../platform/root';

const files = {
  'tokenize-demo': ['text/html', 'tokenize-demo.html'],
  'tokenize-demo.css': ['text/css', 'tokens.css', 'base.css', 'pay.css', 'tokenize-demo.css'],
  'tokenize-demo.js': ['text/javascript', 'tokenize-demo.js'],
  'tokenize.js': ['text/javascript', 'tokenize.js'],
};

/** No resources from other sites, nothing inline, no framing. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export function addTokenizeDemo(server: FastifyInstance): void {
  for (const [path, [type, ...parts]] of Object.entries(files)) {
    const content = parts.map(file => readFileSync(fromRoot(`src/web/${file}`), 'utf8')).join('');
    const url = `/v1/${path}`;
    server.get(url, (_, reply) => reply.headers(headers).type(`${type}; charset=utf-8`).send(content));
    rejectOtherMethods(server, url, ['GET']);
  }
}
