import type { OperatorCommandInput } from '../../../src/operations/operators/command';
import { readCommandLine, toJson, toText } from '../../../src/operations/operators/commandLine';

type Parts = Omit<OperatorCommandInput, 'id' | 'options' | 'yes'>;

/** Runs `npm run operator` in this process, which is faster: returns its output, also parsed as JSON. */
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
