/** The builders of SQL statements, on a real database. */
import { Prisma } from '../../../prisma/generated/client';
import { createMerchant } from '../../../src/accounts/merchants/accounts';
import { idsOf, insertDependents, insertFrom, recordsOf, statement } from '../../../src/platform/database/rows';
import { testDatabase } from '../../harness/servers/database';

const database = testDatabase();
let merchant_id: string;
beforeAll(async () => {
  const account = { environment: 'sandbox', name: 'Tienda', email: 'tienda@example.com', phone: '6011234567' } as const;
  merchant_id = (await createMerchant(database.db(), account, 'x'.repeat(32))).id;
});

const sealed = new Uint8Array(32);
const token = (id: string) => ({
  ...{ id, merchant_id, holder_name: 'Ana', card_number: '411111XXXXXX1111', expiration_month: '12' },
  ...{ expiration_year: '39', brand: 'visa', type: 'credit', bank_name: 'Banco', bank_code: '001' },
  ...{ number_sealed: sealed, cvv2_sealed: sealed, fingerprint: sealed },
});

it('a statement reads texts, bytes, 64-bit integers, times and JSON with the types of their columns', async () => {
  const row = {
    id: 'x',
    amount: 9_007_199_254_740_993n,
    period: 3,
    capture: true,
    creation_date: new Date('2040-01-02T03:04:05.678Z'),
    metadata: { color: 'azul, "claro"\\' },
    description: 'x \u2028 \'";--',
    customer: null,
  };
  const [read] = await database.db().$queryRaw<object[]>`
    select id, amount, period, capture, creation_date, metadata, description, customer
    from ${recordsOf('transactions', [row])} as t`;
  expect(read).toEqual(row);
  const bytes = new Uint8Array([0, 1, 254, 255]);
  const [stored] = await database.db().$queryRaw<{ number_sealed: Uint8Array }[]>`
    select number_sealed from ${recordsOf('tokens', [{ number_sealed: bytes }])} as t`;
  expect(new Uint8Array(stored?.number_sealed ?? [])).toEqual(bytes);
});

it('a statement sends only the properties that are columns', () => {
  const { values } = recordsOf('transactions', [{ id: 'x', cvv2: '123', card_number: '4111111111111111' }]);
  expect(values).toEqual(['[{"id":"x"}]', 1]);
});

it('a statement refuses a text that is too long for its column, and writes nothing', async () => {
  const insert = insertFrom(
    'tokens',
    'token',
    Prisma.sql`from ${recordsOf('tokens', [{ ...token('long'), brand: 'x'.repeat(31) }])} as token`,
    {
      creation_date: Prisma.sql`now()`,
    },
  );
  await expect(database.db().$executeRaw(insert)).rejects.toThrow();
  expect(await database.db().token.count()).toBe(0);
});

it('a statement inserts a dependent row only if the same statement wrote the row on which it depends', async () => {
  const { db } = database;
  await db().token.create({ data: token('taken') });
  const tokens = recordsOf('tokens', [token('new'), token('taken')]);
  const parts = {
    written: insertFrom('tokens', 'token', Prisma.sql`from ${tokens} as token on conflict do nothing returning id`, {
      creation_date: Prisma.sql`now()`,
    }),
    outbox_rows: insertDependents(
      'outbox',
      ['new', 'taken', 'new'].map((cause, i) => ({
        cause,
        row: { kind: `kind ${i}`, object_id: cause, environment: 'sandbox' },
      })),
      idsOf('written'),
    ),
  };
  expect(await db().$queryRaw(statement(parts, idsOf('written')))).toEqual([{ id: 'new' }]);
  expect(await db().outbox.findMany({ select: { kind: true, object_id: true }, orderBy: { id: 'asc' } })).toEqual([
    { kind: 'kind 0', object_id: 'new' },
    { kind: 'kind 2', object_id: 'new' },
  ]);
});
