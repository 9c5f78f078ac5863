/** The files that all pages load. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { fromRoot } from '../../platform/root';

/** The URL contains a hash of the content, so that browsers may cache the file forever. */
export const assets = Object.entries({
  'pay.css': ['text/css', 'tokens.css', 'base.css', 'pay.css', 'live.css'],
  'pay.js': ['text/javascript', 'pay.js'],
  'icon.svg': ['image/svg+xml', 'icon.svg'],
  'front.css': ['text/css', 'tokens.css', 'base.css', 'front.css'],
  'front.js': ['text/javascript', 'front.js'],
  'docs.css': ['text/css', 'tokens.css', 'base.css', 'docs.css'],
  'docs.js': ['text/javascript', 'docs.js'],
}).map(([name, [type, ...files]]) => {
  const content = files.map(file => readFileSync(fromRoot(`src/web/${file}`), 'utf8')).join('');
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { url: `/pages/${hash}/${name}`, type: `${type}; charset=utf-8`, content };
});
export const [style, script, icon, frontStyle, frontScript, docsStyle, docsScript] = assets;

export const IMMUTABLE_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
};

export function addAssets(server: FastifyInstance): void {
  for (const { url, type, content } of assets) {
    server.get(url, (_, reply) => reply.headers(IMMUTABLE_HEADERS).type(type).send(content));
  }
}
