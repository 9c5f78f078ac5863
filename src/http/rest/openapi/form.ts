import type { Json } from './json';

/** The two levels of a path. */
export type Level = 'merchant' | 'customer';

/** What is said of a body besides its fields. */
export interface Form {
  required?: string[];
  properties?: Record<string, Json>;
  /** What an example says besides, or otherwise. */
  example?: Json;
  [keyword: string]: unknown;
}

export const GIVEN = { type: 'string', minLength: 1 };
/** Null is as good as not there. */
export const ABSENT = { type: 'null' };

export const given = (names: readonly string[]): Record<string, Json> =>
  Object.fromEntries(names.map(name => [name, GIVEN]));
