/**
 * What README.md and docs/ say of commands, files, variables, test numbers, errors and operations, compared with the
 * program.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { routes } from '../src/api/rest/routes';
import { EVENT_TYPES } from '../src/events/types';
import { testNumbers } from '../src/payments/cardDetails/testNumbers';
import { variables } from '../src/platform/config/variables';
import { ApiError, errorKindOf } from '../src/platform/errors';
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

/** The cells of every row of a table whose first cell looks like this. */
const rowsOf = (file: string, first: RegExp): string[][] =>
  read(file)
    .split('\n')
    .filter(line => line.startsWith('| '))
    .map(line =>
      line
        .slice(2, -2)
        .split(' | ')
        .map(cell => cell.trim()),
    )
    .filter(([cell = '']) => first.test(cell));

describe('README.md', () => {
  it('begins with the two commands', () => {
    const [first = ''] = /```sh\n([\s\S]*?)```/.exec(read('README.md'))?.slice(1) ?? [];
    expect(first).toContain('npm ci && npm start');
    expect(first).toContain('npm ci && npm test');
  });
});

describe('docs/configuration.md', () => {
  it('lists every variable with its default and what it means, and no other', () => {
    const listed = rowsOf('docs/configuration.md', /^`[A-Z_]+`$/);
    const expected = Object.entries(variables).map(([name, variable]) => {
      const value = 'defaultValue' in variable ? variable.defaultValue : undefined;
      const isSecret = /^(API_KEY_SECRET|ACQUIRER_KEY)$/.test(name);
      const shown = isSecret ? 'one for development' : value === undefined ? '' : `\`${value}\``;
      return [`\`${name}\``, shown, variable.description];
    });
    expect(listed).toEqual(expected);
  });
});

describe('docs/api.md', () => {
  it('lists every test number, with its outcome, and no other', () => {
    const listed = rowsOf('docs/api.md', /^`\d+`$/);
    expect(listed).toEqual([...testNumbers.values()].map(({ number, about }) => [`\`${number}\``, about]));
  });

  it('has every operation, with its field', () => {
    const listed = rowsOf('docs/api.md', /^`[A-Z]+ \//).map(([operation, field]) => `${operation} ${field}`);
    for (const { method, path, field } of routes.filter(({ path }) => !/^\/customers\/:customer_id\/\w/.test(path))) {
      const shown = path.replace('saved_card_id', 'card_id').replace(/:(\w+)/g, '{$1}');
      expect(listed).toContainEqual(expect.stringMatching(literally(`\`${method} ${shown}\` \`${field}\``)));
    }
  });

  it('lists every error, with its status, category and text, and no other', () => {
    const listed = rowsOf('docs/api.md', /^\d{4}$/);
    const codes = Array.from({ length: 9000 }, (_, i) => i + 1000).filter(
      code => code === 1000 || errorKindOf(code) !== 'internal',
    );
    expect([...new Set(listed.map(([code]) => Number(code)))]).toEqual(codes);
    for (const code of codes) {
      const { http_code, category, message } = new ApiError(errorKindOf(code));
      expect(listed).toContainEqual([`${code}`, `${http_code}`, category, message]);
    }
  });
});

describe('docs/webhooks.md', () => {
  it('lists every type of event, and no other', () => {
    const listed = rowsOf('docs/webhooks.md', /^`\w+\.[\w.]+`$/).map(([type]) => type);
    expect(listed).toEqual(EVENT_TYPES.map(type => `\`${type}\``));
  });
});

describe.each(documents)('%s', file => {
  it('names npm scripts that exist', () => {
    const named = [...read(file).matchAll(/npm run ([a-z:]+)/g)].map(([, name]) => name ?? '');
    expect(named.filter(name => !(name in scripts))).toEqual([]);
  });

  it('names compiled programs that npm scripts run', () => {
    const named = read(file).match(/\bdist\/[\w./-]+\.js\b/g) ?? [];
    expect(named.filter(path => !Object.values(scripts).some(script => script.endsWith(path)))).toEqual([]);
  });

  it('names files that exist', () => {
    const named = [...read(file).matchAll(/`((?:src|workflows|prisma|test|docs)\/[\w./-]+)`/g)].map(
      ([, path]) => path ?? '',
    );
    expect(named.filter(path => !/generated/.test(path)).filter(path => !existsInProject(path))).toEqual([]);
  });
});

const literally = (text: string): RegExp => new RegExp(`^${text.replace(/[^\w\s]/g, '\\$&')}`);

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
