import { readFileSync } from 'node:fs';
import { testNumbers } from '../src/cardDetails/testNumbers';
import { routes } from '../src/http/rest/routes';
import { fromRoot } from '../src/platform/root';
import { variables } from '../src/platform/variables';

const read = (file: string): string => readFileSync(fromRoot(file), 'utf8');
const readme = read('README.md');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

describe('README.md', () => {
  it('begins with the two commands', () => {
    const [first = ''] = /```sh\n([\s\S]*?)```/.exec(readme)?.slice(1) ?? [];
    expect(first).toContain('npm ci && npm start');
    expect(first).toContain('npm ci && npm test');
  });

  it('lists every variable, with its default', () => {
    const table = Object.entries(variables).map(([name, variable]) => {
      const otherwise = 'defaultValue' in variable ? variable.defaultValue : undefined;
      const shown = /^(API_KEY_SECRET|ACQUIRER_KEY)$/.test(name)
        ? 'one for development'
        : otherwise === undefined
          ? ''
          : `\`${otherwise}\``;
      return `| \`${name}\` | ${shown}${shown ? ' ' : ''}| ${variable.description} |`;
    });
    for (const row of table) expect(readme.replace(/ +/g, ' ')).toContain(row);
  });

  it('lists every test number, with its outcome, and no other', () => {
    const listed = [...readme.matchAll(/^\| `(\d+)` +\| (.*?) +\|$/gm)].map(([, number, about]) => ({ number, about }));
    expect(listed).toEqual([...testNumbers.values()].map(({ number, about }) => ({ number, about })));
  });

  it('has every row of the API, with its field', () => {
    for (const { method, path, field } of routes.filter(({ path }) => !/^\/customers\/:customer_id\/\w/.test(path))) {
      const shown = path.replace('saved_card_id', 'card_id').replace(/:(\w+)/g, '{$1}');
      expect(readme.replace(/ +/g, ' ')).toContain(`| \`${method} ${shown}\` | \`${field}\``);
    }
  });

  it.each(['README.md', 'CONTRIBUTING.md'])('%s names npm scripts that exist', file => {
    const named = [...read(file).matchAll(/npm run ([a-z:]+)/g)].map(([, name]) => name ?? '');
    expect(named.filter(name => !(name in scripts))).toEqual([]);
  });

  it.each(['README.md', 'CONTRIBUTING.md'])('%s names files that exist', file => {
    const named = [...read(file).matchAll(/`((?:src|workflows|prisma|test)\/[\w./-]+)`/g)].map(
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
  it('has every optional package, also of platforms other than this one, so that npm ci takes it everywhere', () => {
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
