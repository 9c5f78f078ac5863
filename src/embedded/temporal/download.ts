/** The SDK's own download of the Temporal server. It only downloads in order to start, so it starts one for a moment. */
import { fork } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { fromRoot } from '../../platform/root';
import type { BuildOptions } from './build';

/** A network that swallows packets never answers: given up when nothing has arrived for so long. */
const STALLED_MS = 60_000;

/** This file, compiled: the tests read the source, which Node cannot run. */
const PROGRAM = fromRoot('dist/src/embedded/temporal/download.js');

/** In a process of its own, which can be ended whatever the download does. */
export async function downloadTemporal({ version, workshop, report, stop }: BuildOptions): Promise<string> {
  report('downloading');
  const child = fork(PROGRAM, [version, workshop], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], signal: stop });
  let problem = 'it ended without an answer';
  child.on('message', message => {
    problem = String(message);
  });
  let bytes = 0;
  let moved = Date.now();
  const watch = setInterval(async () => {
    const now = await sizeOf(workshop);
    if (now > bytes) {
      [bytes, moved] = [now, Date.now()];
      report(`downloading, ${Math.round(bytes / 1e6)} MB so far`);
    } else if (Date.now() - moved > STALLED_MS) {
      problem = 'nothing arrived for a minute';
      child.kill('SIGKILL');
    }
  }, 1000);
  const code = await new Promise(resolve => child.once('error', resolve).once('exit', resolve));
  clearInterval(watch);
  const [file] = await readdir(workshop);
  if (code !== 0 || !file) throw new Error(problem);
  return join(workshop, file);
}

async function sizeOf(directory: string): Promise<number> {
  const files = await readdir(directory).catch(() => []);
  const sizes = await Promise.all(
    files.map(file =>
      stat(join(directory, file))
        .then(({ size }) => size)
        .catch(() => 0),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function download(version: string, downloadDir: string): Promise<void> {
  const executable = { type: 'cached-download', version, downloadDir } as const;
  const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } });
  await environment.teardown();
}

if (require.main === module) {
  const [version = '', workshop = ''] = process.argv.slice(2);
  download(version, workshop).then(
    () => process.exit(0),
    error => process.send?.(String(error.cause ?? error.message), () => process.exit(1)),
  );
}
