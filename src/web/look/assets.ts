/** The files of `dist/browser`, which the build made and compressed for browsers. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
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

const BUILT = fromRoot('dist/browser');

/**
 * Their URLs contain a hash of their content, so that browsers may cache them forever. Files that import each other are
 * read together, because they share the folder.
 */
function builtFiles(names: readonly string[]): BuiltFile[] {
  const read = (name: string): Buffer => readFileSync(`${BUILT}/${name}`);
  const hash = createHash('sha256');
  for (const name of names) hash.update(read(name));
  const folder = hash.digest('hex').slice(0, 12);
  return names.map(name => ({
    url: `/pages/${folder}/${name}`,
    type: `${TYPES[extname(name)]}; charset=utf-8`,
    bodies: { br: read(`${name}.br`), gzip: read(`${name}.gz`), identity: read(name) },
  }));
}

export const builtFile = (name: string): BuiltFile => builtFiles([name])[0] as BuiltFile;

/** A script and the modules that it imports, such as `dashboard-Screens.js` of `dashboard.js`. */
export function builtScript(name: string): { script: BuiltFile; modules: BuiltFile[] } {
  const names = readdirSync(BUILT).filter(file => file.startsWith(`${name}-`) && file.endsWith('.js'));
  const [script, ...modules] = builtFiles([`${name}.js`, ...names]);
  return { script: script as BuiltFile, modules };
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
