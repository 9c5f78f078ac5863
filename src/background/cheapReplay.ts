/**
 * A subscription's workflow is nearly always cold: it is replayed once a month, and the replay was most of what a
 * renewal cost the worker. Three things that the SDK does for each promise and each call made it so.
 */
import { ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared';

/** Call it before the worker is created, and create the worker with these options. */
export function cheapReplay(): { debugMode: true } {
  // A stack trace for every promise, for the call stack that the UI shows. A workflow that waits has one place to wait
  // at, and its current details say for what. Failures keep their stack traces.
  Object.defineProperty(globalHandlers, 'setPromiseHook', { value: () => undefined });
  // A watchdog thread for every call into a workflow, against workflows that never yield. Ours are few and known.
  const { createWorkflow } = ReusableVMWorkflowCreator.prototype;
  ReusableVMWorkflowCreator.prototype.createWorkflow = function (options) {
    Object.assign(this, { isolateExecutionTimeoutMs: undefined });
    return createWorkflow.call(this, options);
  };
  // A thread of their own for workflows, to and from which every activation is copied. Debuggers need them in this
  // thread, hence the option's name; a second core is for a second worker.
  return { debugMode: true };
}
