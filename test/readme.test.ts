/** README.md and docs/ name existing commands and files. Their tables are generated: test/web/generatedFiles.test.ts. */
import { readdirSync, readFileSync } from 'node:fs';
import { fromRoot } from '../src/platform/root';

const read = (file: string): string => readFileSync(fromRoot(file), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'prisma/README.md',
  'workflows/README.md',
  'SECURITY.md',
  ...readdirSync(fromRoot('docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
];

describe('README.md', () => {
  it('begins with the two commands', () => {
    const [first = ''] = /```sh\n([\s\S]*?)```/.exec(read('README.md'))?.slice(1) ?? [];
    expect(first).toContain('npm ci && npm start');
    expect(first).toContain('npm ci && npm test');
  });
});

describe.each(documents)('%s', file => {
  it('names npm scripts that exist', () => {
    const named = [...read(file).matchAll(/npm run ([a-z:]+)/g)].map(([, name]) => name ?? '');
    expect(named.filter(name => !(name in scripts))).toEqual([]);
  });

  it('names commands of bin/recaudo that npm scripts run', () => {
    const named = read(file).match(/\bbin\/recaudo [a-z]+/g) ?? [];
    expect(named.filter(command => !Object.values(scripts).some(script => script.includes(command)))).toEqual([]);
  });

  it('names files that exist', () => {
    const named = [...read(file).matchAll(/`((?:src|workflows|prisma|test|docs)\/[\w./-]+)`/g)].map(
      ([, path]) => path ?? '',
    );
    expect(named.filter(path => !/generated/.test(path)).filter(path => !existsInProject(path))).toEqual([]);
  });
});

function existsInProject(path: string): boolean {
  try {
    read(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EISDIR';
  }
}

describe('package-lock.json', () => {
  it('has every optional package, also for other platforms, so that npm ci accepts it everywhere', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        name => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`],
      ),
    );
    expect(missing).toEqual([]);
  });
});
