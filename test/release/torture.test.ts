/** `npm run torture` for two minutes: see torture/run.ts. TORTURE_SEED repeats a run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fromRoot } from '../../src/platform/root';
import { atTheEnd } from '../harness/flow/atTheEnd';

const seed = process.env.TORTURE_SEED ?? '20261115';
const TIMEOUT_MS = 1_800_000;

it(
  `no change is lost or made twice under random failures (seed ${seed})`,
  async () => {
    const args = [fromRoot('dist/torture/run.js'), '--minutes', '2', '--seed', seed];
    const run = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    atTheEnd(() => run.kill());
    let output = '';
    for (const stream of [run.stdout, run.stderr])
      stream.on('data', chunk => {
        output += chunk;
      });
    const [code] = await once(run, 'close');
    expect([code, output]).toEqual([0, expect.stringContaining('No violations found.')]);
  },
  TIMEOUT_MS,
);
