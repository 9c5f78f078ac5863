/** Checks that report everything that they find instead of the first. */
import { ApiError } from '../platform/errors';

/** What is malformed is reported before values that are not accepted. */
export function throwFirst(errors: readonly ApiError[]): void {
  const isMalformed = ({ kind }: ApiError): boolean => kind === 'malformed';
  const [first, ...others] = [...errors.filter(isMalformed), ...errors.filter(error => !isMalformed(error))];
  if (first) throw first.with(others);
}

/** Makes every check, and throws one error for all that they found. */
export function checkAll(...checks: (() => unknown)[]): void {
  const errors: ApiError[] = [];
  for (const check of checks) {
    try {
      check();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      errors.push(error);
    }
  }
  throwFirst(errors);
}
