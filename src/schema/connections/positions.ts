/** Forward pagination of a list whose records have no key: a cursor is the position of its record. */
import { ArgsType } from 'type-graphql';
import { ApiError } from '../../platform/errors';
import { Count, Text } from '../shapes';
import { toForwardConnection } from './connection';
import { type ArgsClass, MAX_RECORDS } from './window';

const CURSOR_LENGTH = 20;

export function forwardPaged<T extends ArgsClass<object>>(ListFilters: T) {
  @ArgsType()
  class ForwardArgs extends ListFilters {
    @Count('Return the first n records (default 100)', { optional: true, min: 1, max: MAX_RECORDS })
    first: number = 100;
    @Text('Return records after this cursor', { optional: true, max: CURSOR_LENGTH })
    after?: string;
  }
  return ForwardArgs;
}

@ArgsType()
export class ForwardWindow extends forwardPaged(class {}) {}

/** Number in a cursor, which is at most `max`; undefined without a cursor. */
export function numberIn(after: string | undefined, max: number): number | undefined {
  if (after === undefined) return undefined;
  const number = /^\d{1,16}$/.test(after) ? Number(after) : Number.NaN;
  if (number <= max) return number;
  throw new ApiError('invalid_value', 'not_cursor', { field: 'after' });
}

const MAX_POSITION = 100_000;

/** Records to read for a page, one more than it has. */
export const positionSlice = ({ first, after }: ForwardWindow) => ({
  limit: first + 1,
  offset: numberIn(after, MAX_POSITION) ?? 0,
});

/** `records` are those of `positionSlice`. */
export function toPositionConnection<T extends object>(window: ForwardWindow, records: T[]) {
  const { offset } = positionSlice(window);
  return toForwardConnection(window, records, (_, index) => `${offset + index + 1}`);
}
