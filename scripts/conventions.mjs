// Checks conventions that Biome and dependency-cruiser cannot express. Prints one line per violation.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

const MAX_FILES_PER_FOLDER = 14;
const VAGUE_PATH = /util|helper|common|misc|manager|\bbase\b|impl\b|\/index\./i;
const TYPE = /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:type|interface|class) (\w+)/gm;
const LIMIT =
  /\bconst ((?:MOST|LEAST|LONGEST|LARGEST|DEEPEST|DEAREST|FARTHEST|FEWEST|SOONEST|LATEST|AT_ONCE|FEW|MANY)[A-Z_]*)\b/g;
const STATE = /^(?:export )?(?:let|var) .*|^(?:export )?const .* = (?:new (?:Weak)?(?:Map|Set)|\[\];|\{\};).*/gm;
/** `import('./file').Type`, which dependency-cruiser does not detect. */
const INLINE_IMPORT = /\bimport\('\.[^']*'\)\.(?!then\b)\w+/g;

process.chdir(`${import.meta.dirname}/..`);
const filesOf = (...folders) =>
  folders.flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(name => /\.(ts|tsx|js|mjs|cjs)$/.test(name))
      .map(name => ({ path: `${folder}/${name}`, text: readFileSync(`${folder}/${name}`, 'utf8') })),
  );
const server = filesOf('src', 'workflows');
const product = [...server, ...filesOf('browser')];
const everything = [...product, ...filesOf('bench', 'torture', 'test', 'scripts')];

/** One violation for each match in these files. */
const matches = (files, pattern, rule) =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([all, name]) => `${path}: ${name ?? all}: ${rule}`),
  );

/** The paths of each key, for the keys that have more than `max`. */
function pathsOfKeys(entries, max) {
  const paths = new Map();
  for (const [key, path] of entries) paths.set(key, [...(paths.get(key) ?? []), path]);
  return [...paths].filter(([, of]) => of.length > max);
}
const folders = server.map(({ path }) => [dirname(path), path]);
const types = server.flatMap(({ path, text }) => [...text.matchAll(TYPE)].map(([, name]) => [name, path]));

const violations = [
  ...everything
    .filter(({ path }) => VAGUE_PATH.test(path))
    .map(({ path }) => `${path}: a file is named for what it contains`),
  ...pathsOfKeys(folders, MAX_FILES_PER_FOLDER).map(
    ([folder, { length }]) => `${folder}: ${length} files in a folder, at most ${MAX_FILES_PER_FOLDER}`,
  ),
  ...pathsOfKeys(types, 1).map(([name, paths]) => `${paths.join(', ')}: ${name}: a type is declared once`),
  ...matches(product, LIMIT, 'the name of a limit begins with MAX_ or MIN_'),
  ...matches(product, INLINE_IMPORT, 'use `import type`'),
  ...matches(filesOf('workflows'), STATE, 'a worker shares the modules of workflows, so they hold no state'),
  ...matches(
    product.filter(({ path }) => path !== 'src/platform/vault/unseal.ts'),
    /\bcreateDecipher\w*/g,
    'only src/platform/vault/unseal.ts decrypts',
  ),
  ...matches(
    server.filter(({ path }) => !/\/rows\.ts$|^src\/platform\/database\//.test(path)),
    /\$(?:query|execute)Raw|\bPrisma\.(?:sql|raw)\b|\bqueryRows\b/g,
    'SQL is in files named rows.ts',
  ),
];
if (violations.length > 0) {
  console.error(violations.join('\n'));
  process.exit(1);
}
