/** The project refuses unverified third-party packages and accidental files. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot } from '../src/platform/root';
import { atTheEnd } from './harness/flow/atTheEnd';

interface LockEntry {
  name?: string;
  version: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  integrity?: string;
  license?: string;
  resolved?: string;
}
interface Lock {
  packages: Record<string, LockEntry>;
}

const readLock = (): Lock => JSON.parse(readFileSync(fromRoot('package-lock.json'), 'utf8'));

/** Runs one of the checks on a project that consists of the check and these files. */
function run(script: string, files: Record<string, string>): { status: number | null; stderr: string } {
  const copy = mkdtempSync(join(tmpdir(), 'recaudo-supply-'));
  atTheEnd(() => rmSync(copy, { recursive: true }));
  cpSync(fromRoot('scripts'), join(copy, 'scripts'), { recursive: true });
  cpSync(fromRoot('.gitignore'), join(copy, '.gitignore'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(copy, name), text);
  const { status, stderr } = spawnSync(process.execPath, [`scripts/${script}`], { cwd: copy, encoding: 'utf8' });
  return { status, stderr };
}

describe('npm run check refuses a lock file', () => {
  const check = (change: (packages: Lock['packages']) => void) => {
    const lock = readLock();
    change(lock.packages);
    return run('packages.mjs', { 'package-lock.json': JSON.stringify(lock) });
  };
  const changed = (entry: Partial<LockEntry>) =>
    check(packages => Object.assign(packages['node_modules/pg'] ?? {}, entry));

  it('with a check that is part of `npm run check` and accepts the current lock file', () => {
    const { scripts } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8'));
    expect(scripts.check.split(' && ')).toContain('node scripts/packages.mjs');
    expect(check(() => undefined)).toEqual({ status: 0, stderr: '' });
  });

  it.each<[string, Partial<LockEntry>, string]>([
    ['with a package without a hash', { integrity: '' }, 'pg has no integrity'],
    ['with a registry URL', { resolved: 'https://registry.example/pg.tgz' }, 'pg has a registry URL'],
    ['with a licence that is not on the accepted list', { license: 'AGPL-3.0' }, 'pg has the licence AGPL-3.0'],
    [
      'with an alternative licence that is not on the list',
      { license: '(MIT AND GPL-2.0)' },
      'pg has the licence (MIT AND GPL-2.0)',
    ],
  ])('%s', (_, entry, problem) => {
    expect(changed(entry)).toEqual({ status: 1, stderr: expect.stringContaining(problem) });
  });

  it('but not for a binary of another platform, which the registry in use may not have', () => {
    const entry = readLock().packages['node_modules/@biomejs/cli-win32-x64'];
    const without = (path: string) => check(packages => delete packages[path]?.integrity).stderr;
    expect(entry).toMatchObject({ dev: true, version: expect.any(String) });
    expect(without('node_modules/@biomejs/cli-win32-x64')).toBe('');
    expect(without('node_modules/@biomejs/cli-linux-x64')).toContain('cli-linux-x64 has no integrity');
  });
});

it('npm run sbom lists every production package with its hash, and no development packages', () => {
  const { stdout, status } = spawnSync(process.execPath, [fromRoot('scripts/sbom.mjs')], { encoding: 'utf8' });
  expect(status).toBe(0);
  const { bomFormat, components } = JSON.parse(stdout) as {
    bomFormat: string;
    components: { name: string; version: string; hashes?: object[] }[];
  };
  expect(bomFormat).toBe('CycloneDX');
  const nameOf = ([path, { name, version }]: [string, LockEntry]): string =>
    `${name ?? path.replace(/^.*node_modules\//, '')}@${version}`;
  const locked = Object.entries(readLock().packages).filter(
    ([path, { dev, devOptional, optional }]) => path && !dev && !devOptional && !optional,
  );
  const listed = components.map(({ name, version }) => `${name}@${version}`);
  expect([...new Set(listed)].sort()).toEqual([...new Set(locked.map(nameOf))].sort());
  expect(readFileSync(fromRoot('Dockerfile'), 'utf8')).toContain('npm ci --omit=dev --omit=optional');
  expect(listed.filter(name => /^(prisma|typescript|elkjs|react|jest)@/.test(name))).toEqual([]);
  expect(components.find(({ name }) => name === 'pg')?.hashes).toHaveLength(1);
});

describe('the search for secrets', () => {
  const search = (text: string) => run('secrets.mjs', { 'notes.md': `# Notes\n\n${text}\n` });
  // Assembled from parts, so that this file contains no secret.
  const digits = '89e6f999b486a6ffa478435b71fdafaa';

  it('is the first check, and finds nothing in the project', () => {
    expect(readFileSync(fromRoot('.ci/run'), 'utf8')).toMatch(/^node scripts\/secrets\.mjs$.*^npm ci/ms);
    const { status, stderr } = spawnSync(process.execPath, [fromRoot('scripts/secrets.mjs')], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it.each([
    ['a private key of a merchant', `sk_${digits}`],
    ['the secret of a webhook', `whsec_${digits}${digits.slice(0, 16)}`],
    ['a key of the vault', `VAULT_KEYS=first:${'3q2+7wQx9Zb1'.repeat(3)}AbCdEfg=`],
    ['a private key in PEM', `-----BEGIN EC ${'PRIVATE KEY'}-----\nMHcCAQEEIIGlZ2h0aGlzaXNub3RhcmVhbGtleQ==\n`],
    ['a key of a cloud provider', `AKIA${'QX7LZ2M4PB9TR3CV'}`],
    ['an access token of a code host', `ghp_${digits}abcd`],
  ])('finds %s, and prints its place but not the secret', (_, secret) => {
    const { status, stderr } = search(secret);
    expect(status).toBe(1);
    expect(stderr).toContain('notes.md:3');
    expect(stderr).not.toContain(secret.slice(-16));
  });

  it('accepts obvious examples', () => {
    const examples = ['sk_0123456789abcdef0123456789abcdef', `pk_${'0'.repeat(32)}`, 'AKIAIOSFODNN7EXAMPLE'];
    expect(search(examples.join('\n'))).toEqual({ status: 0, stderr: '' });
  });
});
