import { spawnSync } from 'node:child_process';
import { fromRoot } from '../src/platform/root';

it('npm run check finds nothing: types, lint and format', () => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'check'], { cwd: fromRoot(), encoding: 'utf8' });
  expect(status === 0 ? '' : stdout + stderr).toBe('');
});
