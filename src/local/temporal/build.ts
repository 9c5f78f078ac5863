/** Builds the Temporal server with Go, from the modules pinned in go.mod and go.sum. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface BuildOptions {
  version: string;
  goModule: string;
  /** An empty temporary directory. */
  workDirectory: string;
  report(progress: string): void;
  stop: AbortSignal;
}

const PACKAGE = 'github.com/temporalio/cli/cmd/temporal';

/** Returns the path of the binary. The first build takes minutes. */
export async function buildTemporal({ workDirectory, ...options }: BuildOptions): Promise<string> {
  const binary = join(workDirectory, 'temporal');
  await buildPackages([PACKAGE], binary, options);
  return binary;
}

/** For several packages, `output` must end with a slash. Uses Go's build cache. */
export async function buildPackages(
  names: string[],
  output: string,
  { goModule, report, stop }: Pick<BuildOptions, 'goModule' | 'report' | 'stop'>,
): Promise<void> {
  let fetched = 0;
  let packages = 0;
  await runGo(['list', '-deps', ...names], goModule, stop, {
    stdout: () => packages++,
    stderr: () => report(`building with Go (first time only, some minutes): ${++fetched} modules fetched`),
  });
  let compiled = 0;
  await runGo(['build', '-v', '-trimpath', '-ldflags', '-s -w', '-o', output, ...names], goModule, stop, {
    stdout: () => undefined,
    stderr: () =>
      report(`building with Go (first time only, some minutes): ${++compiled} of ${packages} packages compiled`),
  });
}

interface LineHandlers {
  stdout(line: string): void;
  stderr(line: string): void;
}

function runGo(args: string[], cwd: string, stop: AbortSignal, handlers: LineHandlers): Promise<void> {
  return new Promise((resolve, reject) => {
    // A separate process group, so that its compilers can be killed with it.
    const child = spawn('go', args, { cwd, env: { ...process.env, CGO_ENABLED: '0' }, detached: true });
    const killGroup = () => child.pid && process.kill(-child.pid, 'SIGKILL');
    stop.addEventListener('abort', killGroup, { once: true });
    let lastLine = '';
    createInterface(child.stdout).on('line', handlers.stdout);
    createInterface(child.stderr).on('line', line => {
      lastLine = line;
      handlers.stderr(line);
    });
    child.once('error', ({ message }) =>
      reject(new Error(message.includes('ENOENT') ? 'Go is not installed' : message)),
    );
    child.once('close', code => {
      stop.removeEventListener('abort', killGroup);
      if (code === 0) resolve();
      else reject(new Error(lastLine || `go exited with ${code}`));
    });
  });
}
