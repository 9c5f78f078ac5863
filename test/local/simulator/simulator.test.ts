import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../src/local/savedPorts';
import type { AcquirerOrder } from '../../../src/local/simulator/orders';
import { SimulatedAcquirer } from '../../../src/local/simulator/simulatedAcquirer';
import type { JournalEntry } from '../../../src/local/simulator/state';
import { canary } from '../../harness/cards/canaries';
import { until } from '../../harness/flow/until';
import { getUntil, Program } from '../../harness/servers/program';
import { secrets } from '../../harness/world/secrets';

const directory = mkdtempSync(join(tmpdir(), 'recaudo-simulator-'));
const journalFile = join(directory, 'journal.ndjson');
let url: string;
let simulator: Program;

const start = async (): Promise<void> => {
  const port = await freePort();
  const { ACQUIRER_KEY } = secrets;
  simulator = new Program('simulator', { ACQUIRER_KEY, ACQUIRER_PORT: `${port}`, ACQUIRER_JOURNAL: journalFile });
  url = `http://127.0.0.1:${port}`;
  await getUntil(`${url}/health`, 200);
};
beforeAll(start);
afterAll(() => rmSync(directory, { recursive: true }));

const send = async <Body = { response?: string }>(
  path: string,
  body?: object,
  key = secrets.ACQUIRER_KEY,
  signal?: AbortSignal,
) => {
  const response = await fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
    ...(signal ? { signal } : {}),
  });
  return { status: response.status, body: (await response.json()) as Body };
};
const journal = async (query = '?limit=1000') => (await send<JournalEntry[]>(`/journal${query}`)).body;
const entriesOf = async (key: string) => (await journal()).filter(entry => entry.key === key);
const card = (number: string = canary.visa, reference = 'k1') => ({ number, reference });
const order = (key: string, overrides: Partial<AcquirerOrder> = {}): AcquirerOrder => ({
  key,
  amount: 1000,
  card: card(),
  ...overrides,
});
const responseTo = async (operation: string, body: object) => (await send(`/${operation}`, body)).body.response;

describe('the simulated acquirer', () => {
  it('responds 401 without its credential, except for the journal', async () => {
    for (const path of ['/charge', '/reverse', '/script'])
      expect((await send(path, order('x'), 'wrong')).status).toBe(401);
    expect((await send('/operations/x', undefined, 'wrong')).status).toBe(401);
    expect((await fetch(`${url}/journal`)).status).toBe(200);
  });

  it('returns the same response and makes one entry for the same key, even with fifty concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => send('/charge', order('same'))));
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual({
      status: 200,
      body: { response: '00', authorization: expect.stringMatching(/^\d{6}$/) },
    });
    expect(await entriesOf('same')).toEqual([
      {
        sequence: expect.any(Number),
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        operation: 'charge',
        key: 'same',
        amount: 1000,
        card: expect.stringMatching(/^[0-9a-f]{32}$/),
        outcome: 'approved',
      },
    ]);
    expect((await send('/charge', order('same', { amount: 1 }))).status).toBe(409);
    expect((await send('/authorize', order('same'))).status).toBe(409);
    expect((await send('/charge', order('same', { card: card(canary.mastercard) }))).status).toBe(409);
  });

  it.each([
    ['a charge without a card', 'charge', { key: 'n', amount: 1 }],
    ['a charge without an amount', 'charge', { key: 'n', card: card() }],
    ['a fractional amount', 'charge', { key: 'n', card: card(), amount: 1.5 }],
    ['no key', 'charge', { amount: 1, card: card() }],
    ['a refund of an unknown charge', 'refund', { key: 'n', amount: 1 }],
    ['an empty body', 'capture', {}],
  ])('responds 409 to %s', async (_, operation, body) => {
    expect((await send(`/${operation}`, body)).status).toBe(409);
    expect(await entriesOf('n')).toEqual([]);
  });

  it('captures once, up to the authorized amount; refunds up to the captured amount', async () => {
    await send('/authorize', order('auth'));
    expect(await responseTo('refund', { key: 'r0', of: 'auth', amount: 1 })).toBe('12');
    expect(await responseTo('capture', { key: 'c1', of: 'auth', amount: 1001 })).toBe('12');
    expect(await responseTo('capture', { key: 'c2', of: 'auth', amount: 600 })).toBe('00');
    expect(await responseTo('capture', { key: 'c3', of: 'auth', amount: 1 })).toBe('12');
    expect(await responseTo('refund', { key: 'r1', of: 'auth', amount: 500 })).toBe('00');
    expect(await responseTo('refund', { key: 'r1', of: 'auth', amount: 500 })).toBe('00');
    expect(await responseTo('refund', { key: 'r2', of: 'auth', amount: 101 })).toBe('12');
    expect(await responseTo('refund', { key: 'r3', of: 'auth', amount: 100 })).toBe('00');
    expect(await responseTo('refund', { key: 'r4', of: 'nothing', amount: 1 })).toBe('12');
    expect(await responseTo('capture', { key: 'c4', of: 'same', amount: 1 })).toBe('12');
  });

  it('reverses once; a key that was reversed before its use is refused from then on', async () => {
    await send('/charge', order('undo'));
    await send('/reverse', { key: 'undo' });
    await send('/reverse', { key: 'undo' });
    expect((await entriesOf('undo')).map(({ operation }: { operation: string }) => operation)).toEqual([
      'charge',
      'reverse',
    ]);
    expect((await send('/operations/undo')).body).toMatchObject({ response: '00', reversed: true });
    expect(await responseTo('refund', { key: 'r5', of: 'undo', amount: 1 })).toBe('12');

    expect((await send('/operations/late')).status).toBe(404);
    await send('/reverse', { key: 'late' });
    expect(await responseTo('charge', order('late'))).toBe('12');
    expect((await entriesOf('late')).map(({ operation }: { operation: string }) => operation)).toEqual(['reverse']);
    expect((await send('/operations/late')).body).toMatchObject({ reversed: true });
  });

  it('reverses the amount that is not refunded yet; after a reversed capture or refund another one is possible', async () => {
    const amountOf = async (key: string) =>
      (await entriesOf(key)).find(({ operation }: { operation: string }) => operation === 'reverse')?.amount;
    await send('/authorize', order('au1'));
    await send('/capture', { key: 'p1', of: 'au1', amount: 600 });
    await send('/reverse', { key: 'p1' });
    expect(await responseTo('refund', { key: 'f1', of: 'au1', amount: 1 })).toBe('12');
    expect(await responseTo('capture', { key: 'p2', of: 'au1', amount: 500 })).toBe('00');
    await send('/refund', { key: 'f2', of: 'au1', amount: 200 });
    await send('/reverse', { key: 'f2' });
    expect(await responseTo('refund', { key: 'f3', of: 'au1', amount: 450 })).toBe('00');
    await send('/reverse', { key: 'au1' });
    await send('/charge', order('d1', { card: card('4222222222222220') }));
    await send('/reverse', { key: 'd1' });
    expect([await amountOf('p1'), await amountOf('f2'), await amountOf('au1'), await amountOf('d1')]).toEqual([
      600, 200, 50, 0,
    ]);
  });

  it('follows the script of a saved card in order, then the outcome of its test number', async () => {
    await send('/script', { reference: 'k7', outcomes: [3003, 'approve', 'timeout', 'timeout_after_charge', '3001'] });
    const charge = (key: string, signal?: AbortSignal) =>
      send('/charge', order(key, { card: card('4000000000000341', 'k7') }), undefined, signal).then(
        ({ body }) => body.response,
        () => 'no response',
      );
    /** Gives up when the simulator has processed the request. */
    const chargeUntil = async (key: string, isDone: () => boolean | Promise<boolean>) => {
      const giveUp = new AbortController();
      const charging = charge(key, giveUp.signal);
      await until(isDone);
      giveUp.abort();
      return charging;
    };
    const isScriptStepTaken = () => readFileSync(journalFile, 'utf8').includes('{"met":"k7"');
    expect((await send('/verify', { key: 'v7', card: card('4000000000000341', 'k7') })).body.response).toBe('00');
    expect([await charge('s1'), await charge('s2')]).toEqual(['51', '00']);
    expect(await chargeUntil('s3', isScriptStepTaken)).toBe('no response');
    expect(await chargeUntil('s4', async () => (await entriesOf('s4')).length === 1)).toBe('no response');
    expect([(await entriesOf('s3')).length, (await entriesOf('s4')).length]).toEqual([0, 1]);
    expect((await send('/operations/s4')).body.response).toBe('00');
    expect([await charge('s5'), await charge('s6')]).toEqual(['05', '05']);
  });

  it('declines the first two charges to each saved card with the test number for this behaviour', async () => {
    const charge = (key: string, reference: string) =>
      responseTo('charge', order(key, { card: card('4000000000000028', reference) }));
    for (const reference of ['a', 'b']) {
      const answers = [];
      for (const i of [1, 2, 3, 4]) answers.push(await charge(`${reference}${i}`, reference));
      expect(answers).toEqual(['05', '05', '00', '00']);
    }
  });

  it('pages through its journal by sequence', async () => {
    const entries = await journal();
    expect(entries.map(({ sequence }: { sequence: number }) => sequence)).toEqual(
      entries.map((_: unknown, i: number) => i + 1),
    );
    expect(await journal('?after=2&limit=3')).toEqual(entries.slice(2, 5));
  });

  it('recovers all answered operations and the remaining scripts after kill -9 and a torn last line', async () => {
    await send('/script', { reference: 'k9', outcomes: [3004, 3009] });
    const charge = (key: string) => responseTo('charge', order(key, { card: card(canary.visa, 'k9') }));
    expect(await charge('k1')).toBe('43');
    const answered: string[] = [];
    const load = Array.from({ length: 200 }, async (_, i) => {
      await send('/charge', order(`load${i}`)).then(
        () => answered.push(`load${i}`),
        () => undefined,
      );
      if (i === 100) simulator.process.kill('SIGKILL');
    });
    await Promise.all(load);
    await simulator.exited;
    appendFileSync(journalFile, '{"entry":{"sequence":9999,"ti');
    await start();
    const keys = new Set((await journal()).map(({ key }: { key: string }) => key));
    expect(answered.length).toBeGreaterThan(0);
    expect(answered.filter(key => !keys.has(key))).toEqual([]);
    expect(await charge('k2')).toBe('41');
    expect(await charge('k3')).toBe('00');
    const reopened = await SimulatedAcquirer.open(journalFile, secrets.ACQUIRER_KEY);
    expect(reopened.entries(0, 10_000)).toEqual(await journal('?limit=10000'));
    await reopened.close();
  });
});
