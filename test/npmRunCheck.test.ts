import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot } from '../src/platform/root';

it('npm run check finds nothing: types, lint, format and what nobody uses', () => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'check'], { cwd: fromRoot(), encoding: 'utf8' });
  expect(status === 0 ? '' : stdout + stderr).toBe('');
});

describe('npm run check finds', () => {
  const copy = mkdtempSync(join(tmpdir(), 'recaudo-check-'));
  const omitted = ['.git', '.data', 'dist', 'node_modules', 'screenshots'];

  beforeAll(() => {
    for (const name of readdirSync(fromRoot()).filter(name => !omitted.includes(name)))
      cpSync(fromRoot(name), join(copy, name), { recursive: true });
    symlinkSync(fromRoot('node_modules'), join(copy, 'node_modules'));
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  it('an export that nobody uses, a type or a value', () => {
    const { scripts } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8'));
    expect(scripts.check.split(' && ')).toContain('knip');
    appendFileSync(join(copy, 'src/platform/money.ts'), 'export const NOBODYS = 1;\nexport type Nobodys = 1;\n');
    const { status, stdout } = spawnSync('node_modules/.bin/knip', { cwd: copy, encoding: 'utf8' });
    expect(stdout.match(/^\w+ {2,}.*$/gm)).toEqual([
      expect.stringMatching(/^NOBODYS .*src\/platform\/money\.ts/),
      expect.stringMatching(/^Nobodys .*src\/platform\/money\.ts/),
    ]);
    expect(status).toBe(1);
  });
});
