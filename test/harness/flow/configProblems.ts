import { type ConfigError, readConfig, type VariableName } from '../../../src/platform/config/config';

/** The problems that a process with these variables reports instead of starting. */
export function configProblems(names: readonly VariableName[], env: Record<string, string>): string[] {
  try {
    readConfig(names, env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}
