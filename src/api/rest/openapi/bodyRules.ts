import type { Json } from './json';

export type Level = 'merchant' | 'customer';

/** JSON Schema keywords of a body in addition to its fields. */
export interface BodyRules {
  required?: string[];
  properties?: Record<string, Json>;
  /** Merged into the example of the body. */
  example?: Json;
  [keyword: string]: unknown;
}

export const GIVEN = { type: 'string', minLength: 1 };
/** Null means absent. */
export const ABSENT = { type: 'null' };

export const given = (names: readonly string[]): Record<string, Json> =>
  Object.fromEntries(names.map(name => [name, GIVEN]));
