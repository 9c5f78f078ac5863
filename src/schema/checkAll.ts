import { ApiError } from '../platform/errors';

/** Throws the first error with the fields of all; malformed values come before invalid ones. */
export function throwFirst(errors: readonly ApiError[]): void {
  const isMalformed = ({ kind }: ApiError): boolean => kind === 'malformed';
  const [first, ...others] = [...errors.filter(isMalformed), ...errors.filter(error => !isMalformed(error))];
  if (first) throw first.with(others);
}

/** Runs every check and throws one error for all failures. */
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
