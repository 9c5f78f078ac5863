/** Builds the Temporal server with Go from the modules that the project's go.mod and go.sum name. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface BuildOptions {
  version: string;
  goModule: string;
  /** An empty directory of its own. */
  workshop: string;
  report(progress: string): void;
  stop: AbortSignal;
}

const PACKAGE = 'github.com/temporalio/cli/cmd/temporal';

/** Answers the path of the binary. The first time takes some minutes. */
export async function buildTemporal({ goModule, workshop, report, stop }: BuildOptions): Promise<string> {
  let fetched = 0;
  let packages = 0;
  await go(['list', '-deps', PACKAGE], goModule, stop, {
    stdout: () => packages++,
    stderr: () => report(`building with Go (first time only, some minutes): ${++fetched} modules fetched`),
  });
  const binary = join(workshop, 'temporal');
  let compiled = 0;
  await go(['build', '-v', '-trimpath', '-ldflags', '-s -w', '-o', binary, PACKAGE], goModule, stop, {
    stdout: () => undefined,
    stderr: () =>
      report(`building with Go (first time only, some minutes): ${++compiled} of ${packages} packages compiled`),
  });
  return binary;
}

interface Lines {
  stdout(line: string): void;
  stderr(line: string): void;
}

function go(args: string[], cwd: string, stop: AbortSignal, lines: Lines): Promise<void> {
  return new Promise((resolve, reject) => {
    // A process group of its own: ended whole, compilers included.
    const child = spawn('go', args, { cwd, env: { ...process.env, CGO_ENABLED: '0' }, detached: true });
    const end = () => child.pid && process.kill(-child.pid, 'SIGKILL');
    stop.addEventListener('abort', end, { once: true });
    let last = '';
    createInterface(child.stdout).on('line', lines.stdout);
    createInterface(child.stderr).on('line', line => {
      last = line;
      lines.stderr(line);
    });
    child.once('error', ({ message }) =>
      reject(new Error(message.includes('ENOENT') ? 'Go is not installed' : message)),
    );
    child.once('close', code => {
      stop.removeEventListener('abort', end);
      if (code === 0) resolve();
      else reject(new Error(last || `go ended with ${code}`));
    });
  });
}
