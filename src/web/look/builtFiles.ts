/** Files that the build made for browsers: compressed already, under names that tell their content. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { rejectOtherMethods } from '../../api/methodNotAllowed';
import { fromRoot } from '../../platform/root';
import { IMMUTABLE_HEADERS } from './assets';

type Encoding = 'br' | 'gzip' | 'identity';

interface ServedFile {
  url: string;
  type: string;
  bodies: Record<Encoding, Buffer>;
}

const urlOf = (name: string, content: Buffer): string =>
  `/pages/${createHash('sha256').update(content).digest('hex').slice(0, 12)}/${name}`;

/** A file of `dist/browser`. */
export function builtFile(name: string, type: string): ServedFile {
  const read = (ending: string): Buffer => readFileSync(fromRoot(`dist/browser/${name}${ending}`));
  const identity = read('');
  return { url: urlOf(name, identity), type, bodies: { br: read('.br'), gzip: read('.gz'), identity } };
}

const encodingFor = (accepted = ''): Encoding =>
  (['br', 'gzip'] as const).find(encoding => new RegExp(`\\b${encoding}\\b(?!;q=0)`).test(accepted)) ?? 'identity';

/** Its address. */
export function serveFile(server: FastifyInstance, { url, type, bodies }: ServedFile): string {
  server.get(url, ({ headers }, reply) => {
    const encoding = encodingFor(headers['accept-encoding']);
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply
      .headers({ ...IMMUTABLE_HEADERS, vary: 'accept-encoding' })
      .type(`${type}; charset=utf-8`)
      .send(bodies[encoding]);
  });
  rejectOtherMethods(server, url, ['GET']);
  return url;
}
