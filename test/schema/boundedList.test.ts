/** Lists are limited in bytes, both in their response and in their reads. */

import { readFitting, readPage } from '../../src/schema/boundedList';
import type { Context } from '../../src/schema/operation/context';

const request = (): Context => ({}) as Context;
const ids = Array.from({ length: 1000 }, (_, i) => `e${i}`);
/** A list of records of this size, and the number of records that were read. */
function listOf(bytes: number, limit = 1000) {
  const loaded: string[] = [];
  const load = async (wanted: string[]) => {
    loaded.push(...wanted);
    // In any order.
    return wanted.map(id => ({ id })).reverse();
  };
  const list = {
    limit,
    read: async () => (await load(ids.slice(0, limit))).reverse(),
    readIds: async () => ids.slice(0, limit),
    load,
    bytesOf: () => bytes,
  };
  return { list, loaded };
}

it('a bounded list reads small records to the end, in their order', async () => {
  const { list } = listOf(1000);
  expect((await readPage(request(), list)).map(({ id }) => id)).toEqual(ids);
});

it('a bounded list reads hardly more records than fit', async () => {
  const { list, loaded } = listOf(30_000);
  const { records, isCut } = await readFitting(request(), list);
  expect([records.length, isCut]).toEqual([Math.floor((4 * 1024 * 1024) / 30_000), true]);
  expect(loaded).toHaveLength(200);
});

it('a bounded list returns one record of any size', async () => {
  for (const limit of [2, 1000]) {
    const { records, isCut } = await readFitting(request(), listOf(10_000_000, limit).list);
    expect([records, isCut]).toEqual([[{ id: 'e0' }], true]);
  }
  expect(await readPage(request(), listOf(10_000_000, 1).list)).toHaveLength(1);
});

it('a bounded list refuses a page that would end early, and returns the number of records that fit', async () => {
  await expect(readPage(request(), listOf(30_000).list)).rejects.toMatchObject({
    error_code: 1003,
    field: 'limit',
    message: 'The records exceed 4 MB in total: request at most 139',
  });
  expect(await readPage(request(), listOf(30_000, 139).list)).toHaveLength(139);
});

it('the limit applies to all lists of one request together, which are read one after the other', async () => {
  const context = request();
  const lists = Array.from({ length: 5 }, () => listOf(30_000));
  const results = await Promise.all(lists.map(({ list }) => readFitting(context, list)));
  expect(results.map(({ records }) => records.length)).toEqual([139, 1, 1, 1, 1]);
  expect(lists.map(({ loaded }) => loaded.length)).toEqual([200, 100, 100, 100, 100]);
});
