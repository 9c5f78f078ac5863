/** The sandbox's example of how a browser creates a token: static files, the same for every merchant. */
import type { FastifyInstance } from 'fastify';
import { builtFile, serveFile } from './look/assets';

/** By the path below `/v1`. */
const files = {
  'tokenize-demo': builtFile('tokenize-demo.html'),
  'tokenize-demo.css': builtFile('tokenize-demo.css'),
  'tokenize-demo.js': builtFile('tokenize-demo.js'),
  'tokenize.js': builtFile('tokenize.js'),
};

/** No external or inline content, no frames. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export function addTokenizeDemo(server: FastifyInstance): void {
  for (const [path, file] of Object.entries(files)) serveFile(server, { ...file, url: `/v1/${path}` }, headers);
}
