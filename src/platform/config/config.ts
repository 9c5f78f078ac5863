/** Reads the environment variables of a process and reports all problems at once. */
import { fail } from './parsers';
import { combinationProblems } from './security/combinationProblems';
import { productionProblems } from './security/productionProblems';
import { type Variable, variables } from './variables';

export type VariableName = keyof typeof variables;
/** Undefined if the variable is optional or belongs to an environment that the process does not serve. */
type ConfigValue<K extends VariableName, N extends VariableName> =
  | ReturnType<(typeof variables)[K]['read']>
  | ((typeof variables)[K] extends { defaultValue: undefined } ? undefined : never)
  | ('ENVIRONMENT' extends N ? ((typeof variables)[K] extends { environment: string } ? undefined : never) : never);
export type Config<N extends VariableName> = { [K in N]: ConfigValue<K, N> };

export class ConfigError extends Error {
  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}

export function readConfig<N extends VariableName>(
  names: readonly N[],
  env: NodeJS.ProcessEnv = process.env,
): Config<N> {
  const production = env.NODE_ENV?.trim() === 'production';
  const ownEnvironment = names.includes('ENVIRONMENT' as N) ? env.ENVIRONMENT?.trim() : undefined;
  const problems: string[] = [];
  const readVariable = (name: VariableName): unknown => {
    const { read, defaultValue, description, environment }: Variable<unknown> = variables[name];
    if (environment && ownEnvironment && environment !== ownEnvironment) return undefined;
    // Production checks a default like a configured value, so that it can refuse it.
    const text = env[name]?.trim() || defaultValue?.toString();
    try {
      if (text !== undefined) return read(text, production);
      if (!('defaultValue' in variables[name])) fail(`is missing: ${description.replaceAll('`', '')}`);
    } catch (problem) {
      problems.push(`${name} ${(problem as Error).message}.`);
    }
    return undefined;
  };
  const config = Object.fromEntries(names.map(name => [name, readVariable(name)]));
  problems.push(...combinationProblems(names, config, env));
  if (production) problems.push(...productionProblems(names, config, env));
  if (problems.length > 0) throw new ConfigError(problems);
  return config as Config<N>;
}
