/** Lists are bounded in bytes: in what they answer, and in what is read for it. */

import { readFitting, readPage } from '../../src/schema/boundedList';
import type { Context } from '../../src/schema/operation/context';

const request = (): Context => ({}) as Context;
const ids = Array.from({ length: 1000 }, (_, i) => `e${i}`);
/** A list of records of so many bytes, and what was read of it. */
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

it('reads small records to the end, in their order', async () => {
  const { list } = listOf(1000);
  expect((await readPage(request(), list)).map(({ id }) => id)).toEqual(ids);
});

it('reads hardly more than fits', async () => {
  const { list, loaded } = listOf(30_000);
  const { records, isCut } = await readFitting(request(), list);
  expect([records.length, isCut]).toEqual([Math.floor((4 * 1024 * 1024) / 30_000), true]);
  expect(loaded).toHaveLength(200);
});

it('answers one record however large it is', async () => {
  for (const limit of [2, 1000]) {
    const { records, isCut } = await readFitting(request(), listOf(10_000_000, limit).list);
    expect([records, isCut]).toEqual([[{ id: 'e0' }], true]);
  }
  expect(await readPage(request(), listOf(10_000_000, 1).list)).toHaveLength(1);
});

it('refuses a page that would end early, and says how many fit', async () => {
  await expect(readPage(request(), listOf(30_000).list)).rejects.toMatchObject({
    error_code: 1003,
    field: 'limit',
    message: 'The records exceed 4 MB in total: request at most 139',
  });
  expect(await readPage(request(), listOf(30_000, 139).list)).toHaveLength(139);
});

it('bounds all lists of one request together, which are read one after the other', async () => {
  const context = request();
  const lists = Array.from({ length: 5 }, () => listOf(30_000));
  const results = await Promise.all(lists.map(({ list }) => readFitting(context, list)));
  expect(results.map(({ records }) => records.length)).toEqual([139, 1, 1, 1, 1]);
  expect(lists.map(({ loaded }) => loaded.length)).toEqual([200, 100, 100, 100, 100]);
});
