/** The programs as they run in production, the worker beside the API as `npm start` has it. None of them outlives the bench, however it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { yielding } from '../src/local/childProcesses';
import { retryUntilAnswered } from '../src/local/managedProcess';
import { freePort } from '../src/local/savedPorts';
import { fromRoot } from '../src/platform/root';

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export const endWithBench = (child: ChildProcess): ChildProcess => {
  running.add(child);
  return child.once('exit', () => running.delete(child));
};

export function startProgram(name: string, env: NodeJS.ProcessEnv, ...flags: string[]): ChildProcess {
  const args = [...flags, fromRoot(`dist/src/programs/${name}.js`)];
  const command = name === 'worker' ? yielding(process.execPath, args) : ([process.execPath, args] as const);
  return endWithBench(spawn(...command, { env, stdio: ['ignore', 'ignore', 'inherit'] }));
}

export async function stopProgram(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** One more API process. */
export async function startApi(variables: NodeJS.ProcessEnv): Promise<{ url: string; down(): Promise<void> }> {
  const PORT = `${await freePort()}`;
  const child = startProgram('api', { ...variables, PORT });
  const url = `http://127.0.0.1:${PORT}`;
  await retryUntilAnswered(() => fetch(`${url}/health`));
  return { url, down: () => stopProgram(child) };
}

/** An API and a worker, with this Temporal server. */
export async function startPrograms(environment: { variables: NodeJS.ProcessEnv }, temporalAddress: string) {
  const PORT = `${await freePort()}`;
  const env = { ...environment.variables, PORT, TEMPORAL_ADDRESS: temporalAddress };
  const startWorker = (): ChildProcess => startProgram('worker', env, '--max-old-space-size=256');
  const children = [startProgram('api', env), startWorker()];
  const origin = `http://127.0.0.1:${PORT}`;
  await retryUntilAnswered(async () => {
    if (!(await fetch(`${origin}/ready`)).ok) throw new Error('not ready');
  });
  const down = async (): Promise<void> => {
    for (const child of children) await stopProgram(child);
  };
  return { origin, down, addWorker: () => children.push(startWorker()) };
}
