/**
 * Makes `@temporalio/worker` replay workflows with less work. A subscription's workflow is nearly always cold: it is
 * replayed once a month, and the replay was most of the cost of a renewal in the worker.
 *
 * Measured: an empty wake costs the worker 12 to 17 ms instead of 21 to 40 (bench/RESULTS.md, "Effective changes").
 * Upstream: https://github.com/temporalio/sdk-typescript/issues/1557, an option to switch off the isolation; open.
 */
import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import type { Log } from '../log';

/** The patch reaches into internals, which any release may change: another version runs without the patch. */
const VERIFIED_VERSION = '1.24.0';

const installedVersion = (): string =>
  JSON.parse(readFileSync(require.resolve('@temporalio/worker/package.json'), 'utf8')).version;

/** Await it before a worker is created, and create the worker with the returned options. */
export async function patchTemporalWorker(
  log: Pick<Log, 'warn'>,
  version = installedVersion(),
): Promise<{ debugMode?: true }> {
  if (version !== VERIFIED_VERSION) {
    log.warn({ version, verified: VERIFIED_VERSION }, 'temporal worker: not patched: unverified version of the SDK');
    return {};
  }
  const { ReusableVMWorkflowCreator } = await import('@temporalio/worker/lib/workflow/reusable-vm.js');
  const { globalHandlers } = await import('@temporalio/worker/lib/workflow/vm-shared.js');
  // A stack trace for every promise, for the call stack that the UI shows. A workflow that waits has one place to wait
  // at, and its current details name it. Failures keep their stack traces.
  Object.defineProperty(globalHandlers, 'setPromiseHook', { value: () => undefined, configurable: true });
  const { createWorkflow } = ReusableVMWorkflowCreator.prototype;
  ReusableVMWorkflowCreator.prototype.createWorkflow = async function (options) {
    // A watchdog thread for every call into a workflow, against workflows that never yield. Ours are few and known.
    Object.assign(this, { isolateExecutionTimeoutMs: undefined });
    const workflow = await createWorkflow.call(this, options);
    return Object.assign(workflow, { workflowModule: callsInto(workflow as object as WorkflowInContext) });
  };
  // A separate thread for workflows, to and from which every activation is copied. Debuggers need workflows in this
  // thread, hence the option's name; a second core is for a second worker.
  return { debugMode: true };
}

interface WorkflowInContext {
  context: Record<string, unknown>;
  activator: unknown;
}

const enter = new Script(`{
  const [activator, name, args] = globalThis.__temporal_args;
  globalThis.__TEMPORAL_ACTIVATOR__ = activator;
  __TEMPORAL__.api[name](...args);
}`);

/**
 * Workflows take turns in one context, and the SDK exchanges all of its globals, some seventy, at each turn. Ours leave
 * the globals alone, so the patch exchanges only the one by which the SDK knows whose turn it is.
 */
function callsInto({ context, activator }: WorkflowInContext): object {
  const call =
    (name: string | symbol) =>
    (...args: unknown[]) => {
      context.__temporal_args = [activator, name, args];
      return enter.runInContext(context, { displayErrors: true });
    };
  return new Proxy({}, { get: (_, name) => call(name) });
}
