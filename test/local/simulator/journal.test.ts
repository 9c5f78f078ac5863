/** The journal of the simulated acquirer when its process stops. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Journal } from '../../../src/local/simulator/journal';

const directory = mkdtempSync(join(tmpdir(), 'recaudo-journal-'));
const path = join(directory, 'journal');
afterAll(() => rmSync(directory, { recursive: true }));

it('the journal writes operations from before it was closed, and neither writes nor answers later operations', async () => {
  const { journal } = await Journal.open<{ n: number }>(path);
  const before = [1, 2, 3].map(n => journal.append({ n }));
  const closed = journal.close();
  let isAnswered = false;
  void journal.append({ n: 4 }).finally(() => {
    isAnswered = true;
  });
  await Promise.all([...before, closed]);
  void journal.append({ n: 5 }).finally(() => {
    isAnswered = true;
  });
  expect(readFileSync(path, 'utf8')).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
  const { records, journal: again } = await Journal.open<{ n: number }>(path);
  await again.close();
  expect([records, isAnswered]).toEqual([[{ n: 1 }, { n: 2 }, { n: 3 }], false]);
});
