/** The order of the code: imports go down and never in a circle, folders show one idea, one name means one thing. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { type ModuleItem, parseSync } from '@swc/core';
import { fromRoot } from '../src/platform/root';

/** A file imports from its own folder or from those above it in this list. */
const order = [
  'workflows/',
  'prisma/generated/',
  'src/platform/',
  'src/database/',
  'src/tracing/',
  'src/vault/',
  'src/acquirer/',
  'src/limits/',
  'src/fraud/',
  'src/context',
  'src/ledger/',
  'src/schema/',
  'src/auditLog/',
  'src/events/',
  'src/bankAccounts/',
  'src/merchants/',
  'src/holds/',
  'src/statement/',
  'src/settlements/',
  'src/liveRequests/',
  'src/customers/',
  'src/sessions/',
  'src/cardDetails/',
  'src/devices/',
  'src/tokens/',
  'src/cards/',
  'src/charges/',
  'src/pse/',
  'src/fees/',
  'src/payouts/',
  'src/fraudRules/',
  'src/plans/',
  'src/subscriptions/',
  'src/stats/',
  'src/search/',
  'src/sending/',
  'src/webhooks/',
  'src/mail/',
  'src/sandbox/',
  'src/background/',
  'src/operators/',
  'src/http/',
  'src/simulator/',
  'src/audit/',
  'src/metrics/',
  'src/embedded/',
  'src/programs/',
];
const rank = (file: string): number =>
  order.findIndex(place => file === place || (place.endsWith('/') && file.startsWith(place)));

const MAX_FILES_IN_A_FOLDER = 14;
const MAX_LINES_OF_A_FILE = 200;

const read = (file: string): string => readFileSync(fromRoot(file), 'utf8');
const list = (folder: string): string[] =>
  readdirSync(fromRoot(folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => `${folder}/${name}`.replace(/\.ts$/, ''));
const files = [...list('src'), ...list('workflows')];

const statements = new Map(
  files.map(file => [file, parseSync(read(`${file}.ts`), { syntax: 'typescript', decorators: true }).body]),
);
const statementsOf = (file: string): ModuleItem[] => statements.get(file) ?? [];
const imports = new Map(
  files.map(file => [
    file,
    [
      ...statementsOf(file).flatMap(item => ('source' in item && item.source ? [item.source.value] : [])),
      ...[...read(`${file}.ts`).matchAll(/\bimport\('(.+?)'\)/g)].map(([, path = '']) => path.replace(/\.js$/, '')),
    ],
  ]),
);
const local = (file: string): string[] =>
  (imports.get(file) ?? []).filter(path => path.startsWith('.')).map(path => normalize(join(dirname(file), path)));
const packages = (file: string): string[] =>
  (imports.get(file) ?? [])
    .filter(path => !/^(\.|node:)/.test(path))
    .map(path =>
      path
        .split('/')
        .slice(0, path.startsWith('@') ? 2 : 1)
        .join('/'),
    );

/** Everything that a file brings in, itself included. */
function closure(file: string, seen = new Set<string>()): Set<string> {
  if (!seen.has(file)) {
    seen.add(file);
    for (const next of local(file)) closure(next, seen);
  }
  return seen;
}

describe.each(files)('%s.ts', file => {
  it('lives in a folder that has a place in the order', () => expect(rank(file)).toBeGreaterThanOrEqual(0));

  it('imports downwards only', () => expect(local(file).filter(other => rank(other) > rank(file))).toEqual([]));

  it('is not part of a circle', () => {
    expect(local(file).filter(other => closure(other).has(file))).toEqual([]);
  });

  it('fits on a few screens', () =>
    expect(read(`${file}.ts`).split('\n').length).toBeLessThanOrEqual(MAX_LINES_OF_A_FILE));

  it('is named for what it holds', () => {
    expect(file).not.toMatch(/util|helper|common|misc|manager|\bbase\b|impl\b|\/index$/i);
  });
});

it('modules of workflows have no state: a worker runs them once, for all of its workflows', () => {
  const ofWorkflows = files.filter(file => file.startsWith('workflows/'));
  const state = /^(?:export )?(?:let|var) .*|^(?:export )?const .* = (?:new (?:Weak)?(?:Map|Set)|\[\];|\{\};).*/gm;
  expect(ofWorkflows).toContain('workflows/subscription');
  expect(ofWorkflows.flatMap(file => read(`${file}.ts`).match(state) ?? [])).toEqual([]);
});

describe('folders', () => {
  const folders = [...new Set(files.map(file => dirname(file)))];
  const filesOf = (folder: string): string[] => files.filter(file => dirname(file) === folder);
  const importsAny = (one: string, other: string): boolean =>
    filesOf(one).some(file => local(file).some(imported => dirname(imported) === other));

  it.each(folders)('%s holds no more files than one idea needs', folder => {
    expect(filesOf(folder).length).toBeLessThanOrEqual(MAX_FILES_IN_A_FOLDER);
  });

  it('only what every operation is given lies outside of a folder', () => {
    expect(filesOf('src')).toEqual(['src/context']);
  });

  it('two folders beside each other import one way only', () => {
    const pairs = folders.flatMap((one, i) => folders.slice(i + 1).map(other => [one, other] as const));
    const beside = pairs.filter(
      ([one, other]) => !`${one}/`.startsWith(`${other}/`) && !`${other}/`.startsWith(`${one}/`),
    );
    expect(beside.filter(([one, other]) => importsAny(one, other) && importsAny(other, one))).toEqual([]);
  });
});

describe('names', () => {
  const nameOfType = (item: ModuleItem): string[] => {
    const declaration = item.type === 'ExportDeclaration' ? item.declaration : item;
    if (declaration.type === 'ClassDeclaration') return [declaration.identifier.value];
    const isType = declaration.type === 'TsInterfaceDeclaration' || declaration.type === 'TsTypeAliasDeclaration';
    return isType ? [declaration.id.value] : [];
  };

  it('no type is declared twice', () => {
    const places = new Map<string, string[]>();
    for (const file of files)
      for (const name of statementsOf(file).flatMap(nameOfType)) places.set(name, [...(places.get(name) ?? []), file]);
    expect(places.size).toBeGreaterThan(100);
    expect([...places].filter(([, found]) => found.length > 1)).toEqual([]);
  });

  it('limits begin with MAX_ or MIN_', () => {
    const poetic =
      /\bconst ((?:MOST|LEAST|LONGEST|LARGEST|DEEPEST|DEAREST|FARTHEST|FEWEST|SOONEST|LATEST|AT_ONCE|FEW|MANY)[A-Z_]*)\b/g;
    expect(
      files.flatMap(file => [...read(`${file}.ts`).matchAll(poetic)].map(([, name]) => `${file}: ${name}`)),
    ).toEqual([]);
  });
});

describe('the vault', () => {
  const importers = (file: string): string[] => files.filter(other => local(other).includes(file));

  it('is unsealed by the acquirer client, by what signs webhook messages, replays a stored secret, or checks and rotates keys', () => {
    expect(importers('src/vault/unseal').sort()).toEqual([
      'src/acquirer/client',
      'src/vault/rotate',
      'src/vault/storedSecrets',
      'src/vault/verifyKeys',
      'src/webhooks/delivery/message',
    ]);
    expect(importers('src/vault/rotate')).toEqual(['src/programs/rotateVault']);
  });

  it('is the only one that deciphers', () => {
    expect(files.filter(file => read(`${file}.ts`).includes('createDecipher'))).toEqual(['src/vault/unseal']);
  });
});

describe('workflows/', () => {
  it('is a leaf: it imports itself and what Temporal lets a workflow import', () => {
    const allowed = ['@temporalio/workflow', '@temporalio/common'];
    for (const file of list('workflows')) {
      expect(packages(file).filter(name => !allowed.includes(name))).toEqual([]);
      expect(local(file).filter(other => !other.startsWith('workflows/'))).toEqual([]);
    }
  });
});

describe('what runs in production', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };

  it.each(['api', 'worker', 'migrate', 'merchant', 'operator', 'simulator', 'rotateVault'])(
    '%s needs no development package',
    program => {
      const needed = [...closure(`src/programs/${program}`)].flatMap(packages);
      expect(needed.filter(name => !(name in dependencies))).toEqual([]);
    },
  );
});
