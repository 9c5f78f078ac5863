/** The house keeps its order: imports go down, nothing goes round in a circle, files are small and named for what they hold. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { fromRoot } from '../src/root';

/** A file imports from its own row or from rows above it. */
const order = [
  ['workflows/calendar'],
  ['workflows/contract', 'workflows/state'],
  ['workflows/billing'],
  ['workflows/'],
  ['prisma/generated/'],
  ['src/vault/keys', 'src/readings'],
  ['src/config', 'src/root', 'src/identifiers', 'src/errors', 'src/money', 'src/html'],
  ['src/log', 'src/faults', 'src/methods'],
  ['src/lifetime'],
  ['src/database', 'src/temporal'],
  ['src/vault/'],
  ['src/acquirer/'],
  ['src/migrations', 'src/restored', 'src/readiness', 'src/idempotency', 'src/context', 'src/gather', 'src/clock'],
  ['src/ledger/'],
  ['src/schema/'],
  ['src/events/'],
  ['src/merchants/'],
  ['src/customers/'],
  ['src/printed/'],
  ['src/tokens/'],
  ['src/cards/'],
  ['src/pse/rules'],
  ['src/charges/'],
  ['src/pse/'],
  ['src/fees/'],
  ['src/plans/'],
  ['src/subscriptions/'],
  ['src/sending/'],
  ['src/webhooks/'],
  ['src/mail/'],
  ['src/sandbox/'],
  ['src/sweep', 'src/schedules', 'src/access', 'src/closing', 'src/outbox', 'src/recovery'],
  ['src/request', 'src/resources'],
  ['src/graphql/schema'],
  ['src/rest/'],
  ['src/graphql/'],
  ['src/pages/', 'src/notifications/'],
  ['src/server'],
  ['src/audit/'],
  ['src/embedded/'],
  [
    'src/main',
    'src/worker',
    'src/migrate',
    'src/merchant',
    'src/simulator',
    'src/mailbox',
    'src/rotate',
    'src/audit',
    'src/embedded',
  ],
];
const rank = (file: string): number =>
  order.findIndex(row => row.some(place => (place.endsWith('/') ? file.startsWith(place) : file === place)));

const read = (file: string): string => readFileSync(fromRoot(file), 'utf8');
const list = (folder: string): string[] =>
  readdirSync(fromRoot(folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => `${folder}/${name}`.replace(/\.ts$/, ''));
const files = [...list('src'), ...list('workflows')];

const imports = new Map(
  files.map(file => [file, ts.preProcessFile(read(`${file}.ts`)).importedFiles.map(({ fileName }) => fileName)]),
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
  it('has a place in the house', () => expect(rank(file)).toBeGreaterThanOrEqual(0));

  it('imports downwards only', () => expect(local(file).filter(other => rank(other) > rank(file))).toEqual([]));

  it('is not part of a circle', () => {
    expect(local(file).filter(other => closure(other).has(file))).toEqual([]);
  });

  it('fits on a few screens', () => expect(read(`${file}.ts`).split('\n').length).toBeLessThanOrEqual(200));

  it('is named for what it holds', () => {
    expect(file).not.toMatch(/util|helper|common|misc|manager|\bbase\b|impl\b|\/index$/i);
  });
});

describe('the vault', () => {
  const importers = (file: string): string[] => files.filter(other => local(other).includes(file));

  it('is opened by the client of the acquirer, and by what seals anew under another key', () => {
    expect(importers('src/vault/open').sort()).toEqual([
      'src/acquirer/client',
      'src/vault/check',
      'src/vault/rotate',
      'src/webhooks/kept',
      'src/webhooks/message',
    ]);
    expect(importers('src/vault/rotate')).toEqual(['src/rotate']);
  });

  it('is the only one that deciphers', () => {
    expect(files.filter(file => read(`${file}.ts`).includes('createDecipher'))).toEqual(['src/vault/open']);
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

  it.each(['src/main', 'src/worker', 'src/migrate', 'src/merchant', 'src/simulator', 'src/rotate'])(
    '%s needs no development package',
    program => {
      const needed = [...closure(program)].flatMap(packages);
      expect(needed.filter(name => !(name in dependencies))).toEqual([]);
    },
  );
});
