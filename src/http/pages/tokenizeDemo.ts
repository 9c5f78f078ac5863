/** The sandbox's example of how a browser creates a token: static files, the same for everybody. */
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { fromRoot } from '../../platform/root';
import { rejectOtherMethods } from '../methodNotAllowed';

const files = {
  'tokenize-demo': ['tokenize-demo.html', 'text/html'],
  'tokenize-demo.css': ['tokenize-demo.css', 'text/css'],
  'tokenize-demo.js': ['tokenize-demo.js', 'text/javascript'],
  'tokenize.js': ['tokenize.js', 'text/javascript'],
} as const;

/** No resources from other sites, nothing inline, no framing. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export function addTokenizeDemo(server: FastifyInstance): void {
  for (const [path, [file, type]] of Object.entries(files)) {
    const content = readFileSync(fromRoot(`src/http/pages/${file}`), 'utf8');
    const url = `/v1/${path}`;
    server.get(url, (_, reply) => reply.headers(headers).type(`${type}; charset=utf-8`).send(content));
    rejectOtherMethods(server, url, ['GET']);
  }
}
