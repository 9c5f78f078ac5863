/** Statements that bypass the Prisma query engine, on Prisma's connections. */
import { Prisma } from '../../../prisma/generated/client';
import { openDatabase, queryRows } from '../../../src/platform/database/connection';
import { toApiError } from '../../../src/platform/toApiError';
import { testDatabase } from '../../harness/servers/database';

const database = testDatabase();

const everyType = Prisma.sql`select ${'texto'}::varchar as text, ${9_007_199_254_740_993n}::bigint as large, ${7}::integer as count,
  ${0.5}::float8 as share, ${true}::boolean as flag, ${new Date('2040-01-02T03:04:05.678Z')}::timestamptz as moment,
  ${'{"color":"azul"}'}::jsonb as json, ${['a', 'b,"c']}::varchar[] as list, null::varchar as nothing`;

it('queryRows returns the same values as Prisma', async () => {
  const rows = await queryRows(database.db(), everyType);
  expect(rows).toEqual(await database.db().$queryRaw(everyType));
  expect(rows).toMatchObject([{ large: 9_007_199_254_740_993n, moment: new Date('2040-01-02T03:04:05.678Z') }]);
});

it('queryRows accepts and returns bytes', async () => {
  const [row] = await queryRows<{ bytes: Uint8Array }>(
    database.db(),
    Prisma.sql`select ${new Uint8Array([0, 255])}::bytea as bytes`,
  );
  expect([...(row?.bytes ?? [])]).toEqual([0, 255]);
});

it('queryRows stays within a transaction', async () => {
  const ids = await database.db().$transaction(async tx => {
    const transaction = Prisma.sql`select pg_current_xact_id()::text as id`;
    return [await queryRows(tx, transaction), await tx.$queryRaw(transaction)];
  });
  expect(ids[0]).toEqual(ids[1]);
});

it('queryRows continues after Prisma has disconnected', async () => {
  const db = openDatabase(database.url());
  const one = Prisma.sql`select 1 as one`;
  expect(await queryRows(db, one)).toEqual([{ one: 1 }]);
  await db.$disconnect();
  expect(await queryRows(db, one)).toEqual([{ one: 1 }]);
  await db.$disconnect();
});

it.each([
  ['no server listens', 'postgresql://postgres:x@127.0.0.1:1/recaudo'],
  ['no server listens at any address of a name', 'postgresql://postgres:x@localhost:1/recaudo'],
])('queryRows fails with 1004 when %s', async (_, url) => {
  const db = openDatabase(url, 5000);
  const failure = await queryRows(db, Prisma.sql`select 1`).catch(error => error);
  expect(toApiError(failure).kind).toBe('unavailable');
  await db.$disconnect();
});

it('queryRows fails with 1004 when a lock is held for too long', async () => {
  const db = openDatabase(database.url(), 1000);
  const lock = Prisma.sql`select pg_advisory_xact_lock(42)`;
  const failure = await database.db().$transaction(async tx => {
    await tx.$executeRaw(lock);
    return queryRows(db, lock).catch(error => error);
  });
  expect(toApiError(failure).kind).toBe('unavailable');
  await db.$disconnect();
});
