/** Reads the environment variables that a process needs, and reports everything that is wrong with them at once. */
import { fail } from './parsers';
import { type Variable, variables } from './variables';

export type VariableName = keyof typeof variables;
type ConfigValue<N extends VariableName> =
  | ReturnType<(typeof variables)[N]['read']>
  | ((typeof variables)[N] extends { defaultValue: undefined } ? undefined : never);
export type Config<N extends VariableName> = { [K in N]: ConfigValue<K> };

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
  const problems: string[] = [];
  const readVariable = (name: VariableName): unknown => {
    const { read, defaultValue, description }: Variable<unknown> = variables[name];
    // A default is parsed like a provided value, so that production can refuse it.
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
  if (config.PORT !== undefined && config.PORT === config.PRODUCTION_PORT)
    problems.push('PRODUCTION_PORT must differ from PORT.');
  if (config.PRODUCTION_PORT !== undefined && names.includes('PRODUCTION_ACQUIRER_URL' as N)) {
    for (const name of ['PRODUCTION_ACQUIRER_URL', 'PRODUCTION_ACQUIRER_KEY'] as const)
      if (config[name] === undefined) problems.push(`${name} is missing: it is needed with PRODUCTION_PORT.`);
    if (production && config.PRODUCTION_ACQUIRER_URL === config.ACQUIRER_URL)
      problems.push('PRODUCTION_ACQUIRER_URL must differ from ACQUIRER_URL, whose money is not real.');
  }
  for (const [name, port] of [
    ['PUBLIC_URL', 'PORT'],
    ['PRODUCTION_PUBLIC_URL', 'PRODUCTION_PORT'],
  ] as const) {
    const isRequired = production && names.includes(name as N) && config[port] !== undefined;
    if (isRequired && !env[name]?.trim()) problems.push(`${name} is missing: payers must find our pages.`);
  }
  if (production && names.includes('TRUSTED_PROXIES' as N) && !env.TRUSTED_PROXIES?.trim())
    problems.push('TRUSTED_PROXIES is missing: only the proxy that speaks https knows who asks.');
  if (problems.length > 0) throw new ConfigError(problems);
  return config as Config<N>;
}
