import { Problem } from './ask';

/** A null root field comes with an error, which was thrown before. */
export function required<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Problem('');
  return value;
}
