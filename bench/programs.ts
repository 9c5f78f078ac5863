import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { retryUntilAnswered } from '../src/embedded/managedProcess';
import { freePort } from '../src/embedded/savedPorts';
import { fromRoot } from '../src/platform/root';
import { type BenchEnvironment, newMerchant } from './environment';

/** An API and a worker as they run in production, with this Temporal server and a merchant of its own. */
export async function startPrograms(environment: BenchEnvironment, temporalAddress: string) {
  const merchant = await newMerchant(environment);
  const PORT = `${await freePort()}`;
  const env = { ...environment.variables, PORT, TEMPORAL_ADDRESS: temporalAddress };
  const program = (name: string, ...flags: string[]) =>
    spawn(process.execPath, [...flags, fromRoot(`dist/src/programs/${name}.js`)], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  const children = [program('api'), program('worker', '--max-old-space-size=256')];
  const origin = `http://127.0.0.1:${PORT}`;
  await retryUntilAnswered(async () => {
    if (!(await fetch(`${origin}/ready`)).ok) throw new Error('not ready');
  });
  const authorization = `Basic ${Buffer.from(`${merchant.private_key}:`).toString('base64')}`;
  const request = async (method: string, path: string, body: object): Promise<{ id?: string; to?: string }> => {
    const url = `${origin}/v1/${merchant.id}${path}`;
    const response = await fetch(url, { method, headers: { authorization }, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${await response.text()}`);
    return (await response.json()) as { id?: string; to?: string };
  };
  const down = async (): Promise<void> => {
    for (const child of children) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  };
  return { request, down };
}
