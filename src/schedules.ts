import { type Client, ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import { SWEEP, SWEEP_EVERY, TASK_QUEUE } from '../workflows/contract';

const sweep = {
  scheduleId: SWEEP,
  spec: { intervals: [{ every: SWEEP_EVERY }] },
  action: { type: 'startWorkflow', workflowType: 'sweep', workflowId: SWEEP, taskQueue: TASK_QUEUE },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
} as const satisfies ScheduleOptions;

/** Every worker calls this when it starts: the first one makes the schedule, the others bring it up to their program. */
export async function ensureSchedules({ schedule }: Client): Promise<void> {
  try {
    await schedule.create({ ...sweep, state: { triggerImmediately: true } });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await schedule.getHandle(SWEEP).update(({ state }) => ({ ...sweep, state }));
  }
}
