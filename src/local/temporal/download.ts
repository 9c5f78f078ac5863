/** Downloads the Temporal server. The SDK only downloads in order to start a server, so one is started briefly. */
import { fork } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fromRoot } from '../../platform/root';
import type { BuildOptions } from './build';

/** A network that drops packets reports no error, so a download is given up when nothing has arrived for this long. */
const STALL_TIMEOUT_MS = 60_000;

/** The compiled version of this file: tests run from TypeScript, which Node cannot fork. */
const CHILD_PROGRAM = fromRoot('dist/src/local/temporal/download.js');

/** Runs in a child process, which can be killed whatever the SDK does. */
export async function downloadTemporal({ version, workDirectory, report, stop }: BuildOptions): Promise<string> {
  report('downloading');
  const child = fork(CHILD_PROGRAM, [version, workDirectory], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    signal: stop,
  });
  let problem = 'it ended without an answer';
  child.on('message', message => {
    problem = String(message);
  });
  let bytes = 0;
  let lastProgressAt = Date.now();
  const progressTimer = setInterval(async () => {
    const size = await sizeOf(workDirectory);
    if (size > bytes) {
      [bytes, lastProgressAt] = [size, Date.now()];
      report(`downloading, ${Math.round(bytes / 1e6)} MB so far`);
    } else if (Date.now() - lastProgressAt > STALL_TIMEOUT_MS) {
      problem = 'nothing arrived for a minute';
      child.kill('SIGKILL');
    }
  }, 1000);
  const code = await new Promise(resolve => child.once('error', resolve).once('exit', resolve));
  clearInterval(progressTimer);
  const [file] = await readdir(workDirectory);
  if (code !== 0 || !file) throw new Error(problem);
  return join(workDirectory, file);
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
  // Only the child process needs it, and it is a third of what `npm start` would load.
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } });
  await environment.teardown();
}

if (require.main === module) {
  const [version = '', workDirectory = ''] = process.argv.slice(2);
  download(version, workDirectory).then(
    () => process.exit(0),
    error => process.send?.(String(error.cause ?? error.message), () => process.exit(1)),
  );
}
