import { eventually } from '../../harness/flow/until';
import { operatorCommands } from '../../harness/merchant/operatorCommands';

/** Like `operatorCommands`, with retries while a busy Temporal server exceeds the limit of three seconds. */
export const retriedCommands = (parts: Parameters<typeof operatorCommands>[0]): ReturnType<typeof operatorCommands> => {
  const run = operatorCommands(parts);
  return async (...args) => {
    const result = await eventually(async () => {
      const [tried] = await Promise.allSettled([run(...args)]);
      // A command that is refused for this reason has changed no data.
      const problem = tried.status === 'fulfilled' ? tried.value.json.temporal : tried.reason.message;
      expect(`${problem}`).not.toMatch(/cannot be reached/);
      return tried;
    });
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  };
};
