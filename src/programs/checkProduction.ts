/** `npm run check:production`: validates the environment variables as the programs do under NODE_ENV=production. */
import { ConfigError, readConfig } from '../platform/config/config';
import { FatalError, runProgram } from '../platform/lifetime';
import { programVariables } from './variables';

type ProgramName = keyof typeof programVariables;

const isProgram = (name: string): name is ProgramName => Object.hasOwn(programVariables, name);

runProgram('check:production', async () => {
  const named = process.argv.slice(2);
  const unknown = named.find(name => !isProgram(name));
  if (unknown)
    throw new FatalError(`Unknown program ${unknown}. Programs: ${Object.keys(programVariables).join(', ')}.`);
  const programs = named.length > 0 ? named.filter(isProgram) : (['migrate', 'api', 'worker'] as const);
  const problems = new Set(programs.flatMap(problemsOf));
  if (problems.size > 0) throw new FatalError([...problems].join('\n'));
  console.info(`The environment is valid for production: ${programs.join(', ')}.`);
});

function problemsOf(program: ProgramName): string[] {
  try {
    readConfig([...programVariables[program], 'LOG_LEVEL'], { ...process.env, NODE_ENV: 'production' });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
