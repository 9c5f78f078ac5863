import { newSessionId, openSession, type VisitStorage } from '../../browser/pages/deviceSession';

const ADDRESS = 'https://api.example/v1/m1/devices';

function storage(): VisitStorage {
  const values = new Map<string, string>();
  return (name, value) => {
    if (value !== undefined) values.set(name, value);
    return values.get(name) ?? null;
  };
}

it('an ID consists of v and 19 characters, and is unique', () => {
  const ids = Array.from({ length: 200 }, newSessionId);
  for (const id of ids) expect(id).toMatch(/^v[0-9a-z]{19}$/);
  expect(new Set(ids).size).toBe(200);
});

it('a visit keeps its id and reports the device once', async () => {
  const stored = storage();
  const report = jest.fn(async () => true);
  const { id, reported } = openSession(stored, 'm1', ADDRESS, report);
  expect(await reported).toBe(id);
  expect(await openSession(stored, 'm1', ADDRESS, report).reported).toBe(id);
  expect(report.mock.calls).toEqual([[id]]);
});

it('another merchant has another ID', () => {
  const stored = storage();
  const report = async () => true;
  expect(openSession(stored, 'm1', ADDRESS, report).id).not.toBe(openSession(stored, 'm2', ADDRESS, report).id);
});

it('a failed report keeps the ID and is retried', async () => {
  const stored = storage();
  const report = jest.fn(async () => false);
  const { id, reported } = openSession(stored, 'm1', ADDRESS, report);
  expect(await reported).toBe(id);
  expect(await openSession(stored, 'm1', ADDRESS, report).reported).toBe(id);
  expect(report).toHaveBeenCalledTimes(2);
});

it('without storage there is still an ID', async () => {
  const { id, reported } = openSession(
    () => null,
    'm1',
    ADDRESS,
    async () => true,
  );
  expect(await reported).toBe(id);
});
