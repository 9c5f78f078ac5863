/**
 * Limits lists of large records by bytes, both read and sent. The lists of one GraphQL document share the limit, so they
 * are read one after another.
 */
import { ApiError } from '../platform/errors';
import type { Context } from './operation/context';

const MAX_ANSWER_MEGABYTES = 4;
export const MAX_ANSWER_BYTES = MAX_ANSWER_MEGABYTES * 1024 * 1024;
/** Lists up to this size are read by one statement: even the largest records fit into memory. */
const MAX_SMALL_LIST = 20;
const MAX_BATCH_RECORDS = 100;

export interface BoundedList<T extends { id: string }> {
  limit: number;
  read(): Promise<T[]>;
  /** The IDs that `read` would return, in the same order. */
  readIds(): Promise<string[]>;
  load(ids: string[]): Promise<T[]>;
  /** Approximate size as JSON. */
  bytesOf(record: T): number;
}

/** For lists by offset. A truncated page would look like the last one, so it is rejected. */
export async function readPage<T extends { id: string }>(context: Context, list: BoundedList<T>): Promise<T[]> {
  const { records, isCut } = await readFitting(context, list);
  if (isCut)
    throw new ApiError('invalid_value', 'records_too_large', {
      field: 'limit',
      megabytes: MAX_ANSWER_MEGABYTES,
      max: records.length,
    });
  return records;
}

/** For lists with a cursor: as many records as fit, at least one. */
export function readFitting<T extends { id: string }>(
  context: Context,
  list: BoundedList<T>,
): Promise<{ records: T[]; isCut: boolean }> {
  const answer = answers.get(context) ?? { bytesLeft: MAX_ANSWER_BYTES, lastRead: Promise.resolve() };
  answers.set(context, answer);
  const reading = answer.lastRead.then(() => readWithin(answer, list));
  answer.lastRead = reading.catch(() => undefined);
  return reading;
}

interface Answer {
  bytesLeft: number;
  lastRead: Promise<unknown>;
}

const answers = new WeakMap<Context, Answer>();

async function readWithin<T extends { id: string }>(answer: Answer, list: BoundedList<T>) {
  const records: T[] = [];
  const add = (record: T): boolean => {
    answer.bytesLeft -= list.bytesOf(record);
    if (answer.bytesLeft < 0 && records.length > 0) return false;
    records.push(record);
    return true;
  };
  if (list.limit <= MAX_SMALL_LIST) return { isCut: !(await list.read()).every(add), records };
  const ids = await list.readIds();
  for (let start = 0; start < ids.length; start += MAX_BATCH_RECORDS) {
    const batch = ids.slice(start, start + MAX_BATCH_RECORDS);
    const recordById = new Map((await list.load(batch)).map(record => [record.id, record]));
    const found = batch.flatMap(id => recordById.get(id) ?? []);
    if (!found.every(add)) return { isCut: true, records };
  }
  return { isCut: false, records };
}

export interface BoundedRow {
  /** Whether rows of the merchant are missing. */
  is_cut: boolean;
}

export function rejectCut(rows: readonly BoundedRow[]): void {
  if (rows.some(row => row.is_cut))
    throw new ApiError('invalid_value', 'lists_too_large', { megabytes: MAX_ANSWER_MEGABYTES });
}
