/** A long statement is streamed in parts, and never held in memory as a whole. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Pool } from 'pg';
import { eventually, until } from '../../harness/flow/until';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { basic, testApi } from '../../harness/servers/api';
import { inDatabase } from '../../harness/world/database';

const MOVEMENTS = 60_000;
const PARTS = MOVEMENTS / 1000;
const SPAN = '?from=2026-01-01&to=2026-01-31';

const limits = { LIMIT_REQUESTS_IN_FLIGHT: 1 };
const api = testApi({ limits });
const impatient = testApi({ limits, patienceMs: 1000 });

/** Its texts are so long that no buffer between server and client holds more than a small part of the statement. */
async function fill(of: typeof api) {
  const shop = merchantCalls(of);
  const id = await shop.newCharge(await shop.newCard(), { description: 'ñ'.repeat(250) });
  await inDatabase(of.database.url(), client =>
    client.query(`insert into entries (movement, account, amount, transaction_id, creation_date)
      select 'charge ' || n, account, amount, '${id}', timestamptz '2026-01-02' + n / 10 * interval '1 second'
      from generate_series(1, ${MOVEMENTS}) n,
        (values ('merchant ${of.merchants().own.id}', 7), ('clearing ${of.merchants().own.id}', -7)) as e (account, amount)`),
  );
  return id;
}

/** The number of parts read from the database. */
let partsRead = 0;
let isDatabaseGone = false;
let id: string;
beforeAll(async () => {
  id = await fill(api);
  const query = Pool.prototype.query as (...args: unknown[]) => never;
  jest.spyOn(Pool.prototype, 'query').mockImplementation(function (this: Pool, ...args: unknown[]) {
    const isPart = (args[0] as { text?: string }).text?.includes(') as page join transactions');
    if (isPart) partsRead += 1;
    return isPart && isDatabaseGone ? Promise.reject(new Error('gone')) : query.apply(this, args);
  } as typeof query);
});
afterAll(() => void jest.restoreAllMocks());
beforeEach(() => {
  partsRead = 0;
});

/** A client that reads the beginning and then stops reading. */
async function begin(of = api, headers = {}): Promise<IncomingMessage> {
  const { id: merchant_id, private_key } = of.merchants().own;
  const request = get(`${of.origin()}/v1/${merchant_id}/statement${SPAN}`, {
    agent: false,
    headers: { authorization: basic(private_key), ...headers },
  });
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  await once(response, 'readable');
  return response;
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

it('the stream sends the beginning before it reads the rest, and holds no database connection for a waiting client', async () => {
  const response = await begin();
  await until(async () => {
    const [row] = await api.database.db().$queryRaw<{ busy: bigint }[]>`
      select count(*) as busy from pg_stat_activity
      where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`;
    return row?.busy === 0n;
  });
  expect(partsRead).toBeLessThan(PARTS);
  const { closing_balance, movements } = JSON.parse(await textOf(response));
  expect([movements.length, closing_balance]).toEqual([MOVEMENTS, (7 * MOVEMENTS) / 100]);
  expect(movements.at(-1).balance).toBe(closing_balance);
  expect(new Set(movements.map((movement: { id: string }) => movement.id)).size).toBe(MOVEMENTS);
  expect(partsRead).toBe(PARTS + 1);
});

it('the stream has the movements up to its start, regardless of later bookings', async () => {
  const response = await begin(api, { accept: 'text/csv' });
  await inDatabase(api.database.url(), client =>
    client.query(`insert into entries (movement, account, amount, transaction_id, creation_date)
      select 'charge late ' || at, account, amount, '${id}', at
      from unnest(array['2026-01-01T12:00:00Z', '2026-01-30T12:00:00Z']::timestamptz[]) at,
        (values ('merchant ${api.merchants().own.id}', 1), ('clearing ${api.merchants().own.id}', -1)) as e (account, amount)`),
  );
  const lines = (await textOf(response)).split('\r\n');
  expect(lines).toHaveLength(MOVEMENTS + 2);
  expect(lines.at(-2)).toMatch(new RegExp(`,0.07,0,0,0.07,${(7 * MOVEMENTS) / 100},0.01$`));
});

it('the stream stops reading when the client disconnects, and counts as a request in flight until then', async () => {
  const response = await begin();
  expect((await api.rest('GET', '')).status).toBe(429);
  response.destroy();
  await eventually(async () => expect((await api.rest('GET', '')).status).toBe(200));
  const read = partsRead;
  expect(read).toBeLessThan(PARTS);
  await api.rest('GET', '');
  expect(partsRead).toBe(read);
});

it('the stream is aborted when its key is revoked', async () => {
  const { id: key_id, key } = (await api.rest('POST', '/keys', { body: { kind: 'private' } })).body;
  const response = await begin(api, { authorization: basic(key) });
  expect((await api.rest('DELETE', `/keys/${key_id}`)).status).toBe(204);
  // The API is notified a moment later, when the stream could already be complete.
  await until(async () => (await api.rest('GET', '', { key })).status === 401);
  await expect(textOf(response)).rejects.toThrow('aborted');
  expect(partsRead).toBeLessThan(PARTS);
});

it('the stream disconnects a client that does not read for a long time', async () => {
  // The timeout also applies on a busy machine.
  await eventually(() => fill(impatient));
  await begin(impatient);
  await eventually(async () => expect((await impatient.rest('GET', '')).status).toBe(200));
  expect(partsRead).toBeLessThan(PARTS);
});

it('the stream is aborted when the database fails, instead of ending early', async () => {
  const response = await begin();
  isDatabaseGone = true;
  await expect(textOf(response)).rejects.toThrow('aborted');
  expect(api.lines().filter(line => line.includes('request: streaming failed'))).toHaveLength(1);
});
