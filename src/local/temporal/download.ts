/** Downloads the Temporal server. The SDK downloads only when starting a server, so this starts one briefly. */
import { fork } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fromRoot } from '../../platform/root';
import type { BuildOptions } from './build';

/** A network that drops packets causes no error, so the download fails after this time without data. */
const STALL_TIMEOUT_MS = 60_000;

/** The compiled file: tests run from TypeScript, which Node cannot fork. */
const CHILD_PROGRAM = fromRoot('dist/src/local/temporal/download.js');

/** Runs in a child process, which can be killed. */
export async function downloadTemporal({ version, workDirectory, report, stop }: BuildOptions): Promise<string> {
  report('downloading');
  const child = fork(CHILD_PROGRAM, [version, workDirectory], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    signal: stop,
  });
  let problem = 'exited without a result';
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
      problem = 'no data for a minute';
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
  // Imported only in the child process, because it is large.
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
