import type { OperatorCommandInput } from '../../../src/operations/operators/command';
import { readCommandLine, toJson, toText } from '../../../src/operations/operators/commandLine';

type Parts = Omit<OperatorCommandInput, 'id' | 'options' | 'yes'>;

/** `npm run operator` without a process of its own, which takes a second: what it prints, and as JSON. */
export const operatorCommands =
  (parts: () => Parts) =>
  async (...args: string[]) => {
    const { command, ...input } = readCommandLine(args) as Exclude<ReturnType<typeof readCommandLine>, string>;
    const result = await command.run({ ...parts(), ...input });
    const answer = toJson(result);
    return {
      json: JSON.parse(JSON.stringify(answer)),
      text: toText(answer, command),
      isDryRun: result.isDryRun === true,
    };
  };
