/** The files of `dist/browser`, which the build made and compressed for browsers. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { rejectOtherMethods } from '../../api/methodNotAllowed';
import { fromRoot } from '../../platform/root';

type Encoding = 'br' | 'gzip' | 'identity';

interface BuiltFile {
  url: string;
  type: string;
  bodies: Record<Encoding, Buffer>;
}

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.graphql': 'text/plain',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

/** Its URL contains a hash of the content, so that browsers may cache the file forever. */
export function builtFile(name: string): BuiltFile {
  const read = (ending: string): Buffer => readFileSync(fromRoot(`dist/browser/${name}${ending}`));
  const identity = read('');
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 12);
  return {
    url: `/pages/${hash}/${name}`,
    type: `${TYPES[extname(name)]}; charset=utf-8`,
    bodies: { br: read('.br'), gzip: read('.gz'), identity },
  };
}

export const style = builtFile('pay.css');
export const script = builtFile('pay.js');
export const icon = builtFile('icon.svg');
export const frontStyle = builtFile('front.css');
export const frontScript = builtFile('front.js');
export const docsStyle = builtFile('docs.css');
export const docsScript = builtFile('docs.js');
export const assets = [style, script, icon, frontStyle, frontScript, docsStyle, docsScript];

export const IMMUTABLE_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
};

const encodingFor = (accepted = ''): Encoding =>
  (['br', 'gzip'] as const).find(encoding => new RegExp(`\\b${encoding}\\b(?!;q=0)`).test(accepted)) ?? 'identity';

function addFile(server: FastifyInstance, { url, type, bodies }: BuiltFile, headers: Record<string, string>): void {
  server.get(url, (request, reply) => {
    const encoding = encodingFor(request.headers['accept-encoding']);
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply
      .headers({ ...headers, vary: 'accept-encoding' })
      .type(type)
      .send(bodies[encoding]);
  });
}

/** Returns the URL of the file. */
export function serveFile(
  server: FastifyInstance,
  file: BuiltFile,
  headers: Record<string, string> = IMMUTABLE_HEADERS,
): string {
  addFile(server, file, headers);
  rejectOtherMethods(server, file.url, ['GET']);
  return file.url;
}

export function addAssets(server: FastifyInstance): void {
  for (const asset of assets) addFile(server, asset, IMMUTABLE_HEADERS);
}
