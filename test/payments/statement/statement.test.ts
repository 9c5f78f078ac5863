/** The account statement of a merchant: every movement, and the balances of the ledger. */
import { dayOf } from '../../../workflows/calendar';
import { freezeClock } from '../../harness/flow/frozenClock';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { oneOfEachKind } from '../../harness/merchant/oneOfEachKind';
import { suspension } from '../../harness/merchant/suspension';
import { errorOf, SHORT_TIMEOUT_MS, sendRequest, testApi } from '../../harness/servers/api';
import { bookDifferences } from '../../harness/servers/damage';
import { inDatabase } from '../../harness/world/database';

const api = testApi({ acquirerTimeoutMs: SHORT_TIMEOUT_MS, ownWorld: true });
const shop = merchantCalls(api);
const ids = oneOfEachKind(api);

const statement = (query = '') => api.rest('GET', `/statement${query}`);
const today = () => dayOf(Date.now());
const FIELDS = `from to currency opening_balance closing_balance totals { amount cost cost_tax net }`;
const MOVEMENT = 'id date type transaction_id order_id description amount cost cost_tax net balance tax';
const centavos = (pesos: number): number => Math.round(pesos * 100);

type Line = Record<'id' | 'type' | 'transaction_id', string> &
  Record<'amount' | 'cost' | 'cost_tax' | 'net' | 'balance', number>;

/** Books movements of the other merchant, which has made no requests. */
const book = (rows: [movement: string, at: string, amount: number][]) =>
  inDatabase(api.database.url(), client =>
    client.query(
      `insert into entries (movement, account, amount, transaction_id, creation_date)
       select r ->> 0, account || $2, sign * (r -> 2)::bigint, $1, (r ->> 1)::timestamptz
       from jsonb_array_elements($3) r, (values ('merchant ', 1), ('clearing ', -1)) as e (account, sign)`,
      [ids.charge, api.merchants().other.id, JSON.stringify(rows)],
    ),
  );
const others = (query: string) => {
  const { id, private_key } = api.merchants().other;
  return sendRequest(`${api.origin()}/v1/${id}/statement${query}`, 'GET', { key: private_key });
};
const textOf = async (path: string, headers: Record<string, string>) => {
  const { id, private_key } = api.merchants().own;
  const authorization = `Basic ${Buffer.from(`${private_key}:`).toString('base64')}`;
  const response = await fetch(`${api.origin()}/v1/${id}${path}`, { headers: { authorization, ...headers } });
  return { headers: response.headers, text: await response.text() };
};

describe('GET /statement with a movement of each type', () => {
  beforeAll(async () => {
    const card = await shop.newCard();
    const [won, lost] = [await shop.newCharge(card), await shop.newCharge(card, { order_id: 'order-1' })];
    for (const outcome of ['open', 'rejected']) await shop.post(`/sandbox/charges/${won}/chargeback`, { outcome });
    for (const outcome of ['open', 'accepted']) await shop.post(`/sandbox/charges/${lost}/chargeback`, { outcome });
    const refunded = await shop.newCharge(card, { order_id: 'order-2' });
    await shop.post(`/charges/${refunded}/refund`, { amount: 0.01, description: '=1+1;@2;-3' });
    await shop.post(`/charges/${refunded}/refund`, { description: 'a "b", c\nd' });
    // The day and the month must not change between a response and its expected value.
    freezeClock();
  });

  it('begins with zero and ends with the balance of the merchant', async () => {
    const { status, body } = await statement();
    expect([status, body.from, body.to, body.currency]).toEqual([200, `${today().slice(0, 8)}01`, today(), 'COP']);
    expect([body.opening_balance, body.closing_balance]).toEqual([0, await shop.merchantBalance()]);
    expect(body.movements.at(-1).balance).toBe(body.closing_balance);
  });

  it('has every movement once, with its type and the balance after it', async () => {
    const { movements } = (await statement()).body as { movements: Line[] };
    expect(new Set(movements.map(({ id }) => id)).size).toBe(movements.length);
    expect(new Set(movements.map(({ type }) => type))).toEqual(
      new Set(['charge', 'refund', 'chargeback', 'chargeback_reversal', 'fee', 'fee_refund', 'payout']),
    );
    let balance = 0;
    for (const { net, amount, cost, cost_tax, ...line } of movements) {
      balance += centavos(net);
      expect([centavos(line.balance), centavos(amount - cost - cost_tax)]).toEqual([balance, centavos(net)]);
    }
    const of = (id: string) => movements.filter(({ transaction_id }) => transaction_id === id);
    expect(of(ids.charge)).toMatchObject([
      { type: 'charge', amount: 1_000_000, cost: 29_900, cost_tax: 5681, net: 964_419, description: 'Order' },
    ]);
    expect(of(ids.captured)).toMatchObject([{ amount: 40_000 }]);
    // A payment into a customer's own account costs the merchant a fee and does not raise its balance.
    expect(of(ids.wonBack)).toMatchObject([{ type: 'charge', amount: 0, cost: 3800, net: -4522 }]);
    expect(movements.filter(({ type }) => type.startsWith('fee'))).toMatchObject([
      { amount: 100, cost: 0 },
      { amount: -50, cost: 0 },
    ]);
  });

  it("names the order of the refunded charge, and the refund's own description", async () => {
    const { movements } = (await statement()).body;
    const refunds = movements.filter(({ order_id, type }: never) => order_id === 'order-2' && type === 'refund');
    expect(refunds.map(({ description }: never) => description)).toEqual(['=1+1;@2;-3', 'a "b", c\nd']);
  });

  it('matches the ledger, in which the audit finds no differences', async () => {
    const { body } = await statement();
    expect(await bookDifferences(api)).toEqual([]);
    const { id } = api.merchants().own;
    const sums = await api.database.db().$queryRaw<{ account: string; sum: string }[]>`
      select account, sum(amount)::text from entries group by account`;
    const sumOf = (account: string) => Number(sums.find(each => each.account === `${account} ${id}`)?.sum) / 100;
    expect([body.totals.net, body.totals.cost, body.totals.cost_tax]).toEqual(['merchant', 'costs', 'tax'].map(sumOf));
    for (const name of ['amount', 'cost', 'cost_tax', 'net'] as const)
      expect(body.movements.reduce((sum: number, line: Line) => sum + centavos(line[name]), 0)).toBe(
        centavos(body.totals[name]),
      );
  });

  it('is the same over GraphQL, where movements are paged', async () => {
    const { body } = await statement();
    const read = async (window: string) => {
      const page = `movements${window} { nodes { ${MOVEMENT} } pageInfo { hasNextPage endCursor } }`;
      return (await api.graphql(`{ statement { ${FIELDS} ${page} } }`)).body.data.statement;
    };
    const { movements, ...whole } = await read('(first: 1000)');
    expect({ ...whole, movements: movements.nodes }).toEqual(body);
    const pages = [await read('(first: 7)')];
    while (pages.at(-1).movements.pageInfo.hasNextPage)
      pages.push(await read(`(first: 7, after: "${pages.at(-1).movements.pageInfo.endCursor}")`));
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flatMap(({ movements }) => movements.nodes)).toEqual(body.movements);
  });

  it('is CSV on request, with the same values, and with texts that cannot be formulas', async () => {
    const { headers, text } = await textOf('/statement', { accept: 'text/csv' });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    const name = `statement-${today().slice(0, 8)}01-${today()}.csv`;
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
    const { movements } = (await statement()).body;
    const expected = movements.map((line: Record<string, unknown>) => {
      const cells = MOVEMENT.split(' ').map(column => String(line[column] ?? ''));
      return cells
        .map(cell => ({ '=1+1;@2;-3': "'=1+1;'@2;'-3", 'a "b", c\nd': '"a ""b"", c\nd"' })[cell] ?? cell)
        .join(',');
    });
    expect(text).toBe([MOVEMENT.replaceAll(' ', ','), ...expected, ''].join('\r\n'));
    expect(text).toContain(",'=1+1;'@2;'-3,-0.01,");
  });

  it.each([
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['text/csv;q=0.5, application/json', 'application/json'],
    ['text/csv;q=0', 'application/json'],
    ['application/json;q=0.5, TEXT/CSV', 'text/csv'],
  ])('returns %s as %s', async (accept, type) => {
    const { headers } = await textOf('/statement', { accept });
    expect([headers.get('content-type'), headers.get('vary')]).toEqual([expect.stringContaining(type), 'Accept']);
  });

  it('is allowed for read-only keys, suspended merchants and HEAD requests, and refused for the public key', async () => {
    const { body } = await shop.post('/keys', { kind: 'private', read_only: true });
    expect((await api.rest('GET', '/statement', { key: body.key })).status).toBe(200);
    expect((await api.rest('HEAD', '/statement')).text).toBe('');
    expect(errorOf(await api.rest('GET', '/statement', { key: api.merchants().own.public_key }))).toBe(1010);
    const { suspend, resume } = suspension(api);
    await suspend();
    expect((await statement()).status).toBe(200);
    await resume();
  });
});

describe('the days of a statement', () => {
  beforeAll(() =>
    book([
      ['charge a', '2026-03-01T04:59:59.999Z', 1],
      ['charge c', '2026-03-01T05:00:00Z', 20],
      ['charge b', '2026-03-01T05:00:00Z', 10],
      ['charge d', '2026-03-03T04:59:59.999Z', 400],
      ['unrefund e', '2026-03-03T05:00:00Z', -8000],
      ['by hand', '2026-03-03T05:00:00.001Z', 50_000],
    ]),
  );
  const shown = async (query: string) => {
    const { body } = await others(query);
    const lines = body.movements.map(({ id, balance }: Line) => `${id} ${centavos(balance)}`);
    return [centavos(body.opening_balance), ...lines, centavos(body.closing_balance)];
  };

  it.each([
    ['?from=2026-03-01&to=2026-03-02', [1, 'charge-b 11', 'charge-c 31', 'charge-d 431', 431]],
    ['?from=2026-02-28&to=2026-02-28', [0, 'charge-a 1', 1]],
    ['?to=2026-02-28', [0, 'charge-a 1', 1]],
    ['?from=2026-03-03', [431, 'unrefund-e -7569', 'by-hand 42431', 42431]],
    ['?from=2026-03-02&to=2026-03-02', [31, 'charge-d 431', 431]],
    ['?from=2026-03-04&to=2026-03-05', [42431, 42431]],
    ['?from=2025-01-01&to=2025-12-31', [0, 0]],
    ['', [42431, 42431]],
  ])('%s has the expected movements', async (query, expected) => expect(await shown(query)).toEqual(expected));

  it('has the types of a failed refund and of a manual entry', async () => {
    const { movements } = (await others('?from=2026-03-03')).body;
    expect(movements.map(({ type }: Line) => type)).toEqual(['refund_failure', 'adjustment']);
  });

  it('without movements has only the header line in CSV, and an empty list in JSON', async () => {
    const response = await textOf('/statement?from=2020-01-01&to=2020-01-02', { accept: 'text/csv' });
    expect(response.text).toBe(`${MOVEMENT.replaceAll(' ', ',')}\r\n`);
    expect((await statement('?from=2020-01-01&to=2020-01-02')).body).toEqual({
      from: '2020-01-01',
      to: '2020-01-02',
      currency: 'COP',
      opening_balance: 0,
      closing_balance: 0,
      totals: { amount: 0, cost: 0, cost_tax: 0, net: 0 },
      movements: [],
    });
  });

  it('shows a charge whose cost equals its amount, although the balance does not change', async () => {
    const { other } = api.merchants();
    await inDatabase(api.database.url(), client =>
      client.query(`insert into entries (movement, account, amount, transaction_id, creation_date)
        select 'charge even', a || ' ${other.id}', v, '${ids.charge}', '2024-05-05T12:00:00Z'
        from (values ('clearing', -119), ('costs', 100), ('tax', 19)) as e (a, v)`),
    );
    const { body } = await others('?from=2024-05-05&to=2024-05-05');
    expect(body.movements).toMatchObject([{ amount: 1.19, cost: 1, cost_tax: 0.19, net: 0, balance: 0 }]);
    expect(body.totals).toEqual({ amount: 1.19, cost: 1, cost_tax: 0.19, net: 0 });
  });

  it.each([
    ['?from=2026-03-02&to=2026-03-01', 'from'],
    ['?from=2999-01-01', 'from'],
    ['?from=2026-3-1', 'from'],
    ['?to=2026-02-30', 'to'],
    ['?to=', 'to'],
    ['?from=2026-03-01&from=2026-03-02', 'from'],
    ['?limit=5', 'limit'],
    ['?From=2026-03-01', 'From'],
  ])('fails with 1003 for %s', async (query, field) => {
    const answer = await statement(query);
    expect([answer.status, errorOf(answer), answer.body.field]).toEqual([422, 1003, field]);
    expect((await textOf(`/statement${query}`, { accept: 'text/csv' })).text).toContain('"error_code":1003');
  });

  it('fails equally over GraphQL, also for a movement that is not in the statement', async () => {
    const ask = (days: string, window = '') =>
      api.graphql(`{ statement${days} { movements${window} { nodes { id } } } }`);
    expect(errorOf(await ask('(from: "2026-03-02", to: "2026-03-01")'))).toBe(1003);
    expect(errorOf(await ask('(to: "2026-02-30")'))).toBe(1003);
    for (const after of ['charge-a', `charge-${ids.charge}x`, ''])
      expect(errorOf(await ask('', `(after: "${after}")`))).toBe(1003);
    const elsewhere = await ask('(from: "2026-01-01", to: "2026-01-02")', `(after: "charge-${ids.charge}")`);
    expect(errorOf(elsewhere)).toBe(1003);
    expect(errorOf(await ask('', '(first: 1001)'))).toBe(1003);
  });
});
