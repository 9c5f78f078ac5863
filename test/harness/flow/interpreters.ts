/** Programs that run examples and are not part of the project. */
import { spawnSync } from 'node:child_process';

const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** The languages whose program is installed; each missing program is reported as a skipped test with the reason. */
export function runnable<T extends readonly [language: string, program: string, ...unknown[]]>(
  languages: readonly T[],
): T[] {
  const missing = languages.filter(([, program]) => !isInstalled(program));
  if (missing.length > 0)
    it.skip.each(missing.map(([language, program]) => [language, program]))(
      '%s examples: not run, because %s is not installed',
      () => undefined,
    );
  return languages.filter(language => !missing.includes(language));
}
