import { Problem } from './ask';

/** A root field is null only together with an error, which is thrown before. */
export function found<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Problem('');
  return value;
}
