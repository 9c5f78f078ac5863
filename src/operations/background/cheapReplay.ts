/**
 * A subscription's workflow is nearly always cold: it is replayed once a month, and the replay was most of what a
 * renewal cost the worker. Four things that the SDK does for each promise and each call made it so.
 */
import { Script } from 'node:vm';
import { ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared';

/** Call it before the worker is created, and create the worker with these options. */
export function cheapReplay(): { debugMode: true } {
  // A stack trace for every promise, for the call stack that the UI shows. A workflow that waits has one place to wait
  // at, and its current details say for what. Failures keep their stack traces.
  Object.defineProperty(globalHandlers, 'setPromiseHook', { value: () => undefined });
  const { createWorkflow } = ReusableVMWorkflowCreator.prototype;
  ReusableVMWorkflowCreator.prototype.createWorkflow = async function (options) {
    // A watchdog thread for every call into a workflow, against workflows that never yield. Ours are few and known.
    Object.assign(this, { isolateExecutionTimeoutMs: undefined });
    const workflow = await createWorkflow.call(this, options);
    return Object.assign(workflow, { workflowModule: callsInto(workflow as object as WorkflowInContext) });
  };
  // A thread of their own for workflows, to and from which every activation is copied. Debuggers need them in this
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
 * Workflows take turns in one context, and the SDK exchanges all of its globals, some seventy, whenever another's turn
 * comes. Ours leave the globals alone, so only that one is exchanged by which the SDK knows whose turn it is.
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
