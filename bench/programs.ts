/** Processes of single measurements. They end with the bench. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { retryUntilAnswered } from '../src/local/processes/managedProcess';
import { freePort } from '../src/local/savedPorts';
import { respondsAt } from '../src/local/stack';
import { fromRoot } from '../src/platform/root';
import type { BenchEnvironment } from './environment';

type Environment = Pick<BenchEnvironment, 'stack' | 'variables'>;

/** One more API process. */
export async function startApi({ stack, variables }: Environment, path = '/health') {
  const PORT = `${await freePort()}`;
  const url = `http://127.0.0.1:${PORT}`;
  const api = await stack.startProgram('api', { ...variables, PORT }, respondsAt(url + path));
  return { url, down: () => api.down() };
}

/** An API and a worker, with this Temporal server. */
export async function startPrograms({ stack, variables }: Environment, TEMPORAL_ADDRESS: string) {
  const env = { ...variables, TEMPORAL_ADDRESS };
  const workers = [await stack.startProgram('worker', env)];
  const api = await startApi({ stack, variables: env }, '/ready');
  return {
    origin: api.url,
    addWorker: async () => void workers.push(await stack.startProgram('worker', env)),
    down: async () => {
      await api.down();
      for (const worker of workers) await worker.down();
    },
  };
}

/** A worker for empty workflows. */
export async function startBenchWorker({ variables }: Environment, TEMPORAL_ADDRESS: string, taskQueue: string) {
  const env = { ...process.env, ...variables, TEMPORAL_ADDRESS };
  const worker = fork(fromRoot('dist/bench/worker.js'), [taskQueue], { env });
  await once(worker, 'message');
  return {
    countWoken: async (): Promise<number> => {
      worker.send('how many?');
      return (await once(worker, 'message'))[0];
    },
    stop: async (): Promise<void> => {
      worker.disconnect();
      await once(worker, 'exit');
    },
  };
}

/** A merchant's webhook endpoint. */
export async function startReceiver() {
  const port = `${await freePort()}`;
  const receiver = fork(fromRoot('dist/bench/receiver.js'), [port]);
  const url = `http://127.0.0.1:${port}`;
  await retryUntilAnswered(respondsAt(`${url}/report`));
  return { url, stop: () => receiver.disconnect() };
}
