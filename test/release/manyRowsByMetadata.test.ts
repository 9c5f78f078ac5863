/** Lists by metadata read few of many records, whether the filter finds few or most of them. */
import { Prisma } from '../../prisma/generated/client';
import { metadataWhere } from '../../src/payments/metadata/rows';
import { slicedSql, toSql } from '../../src/schema/connections/rows';
import { PATIENCE, testDatabase } from '../harness/servers/database';
import { countReads, merchantsSql } from '../harness/servers/manyRows';
import { inDatabase } from '../harness/world/database';

describe('100,000 customers of one merchant', () => {
  const ROWS = 100_000;
  const database = testDatabase();
  beforeAll(() =>
    inDatabase(database.url(), client =>
      client.query(`${merchantsSql('sandbox', 1, 2)}
        insert into customers (id, merchant_id, creation_date, name, email, metadata)
        select 'a' || lpad(i::text, 19, '0'), case when i % 50 = 0 then 'm2' else 'm1' end,
          timestamptz '2026-01-01' + i * interval '1 minute', 'Ana', 'c' || i || '@example.com',
          jsonb_build_object('crm', 'c-' || i / 2, 'canal', case when i % 3 = 0 then 'shop' else 'web' end)
        from generate_series(1, ${ROWS}) i;
        analyze customers;`),
    ),
  );

  const pageOf = (metadata: Record<string, string>) => {
    const where = { merchant_id: 'm1', status: 'active', ...metadataWhere({ metadata }) };
    return Prisma.sql`select id from customers ${slicedSql(toSql(where), { take: 10 })}`;
  };
  const find = async (metadata: Record<string, string>) => {
    let ids: string[] = [];
    const reads = await countReads(database.db(), ['customers'], async tx => {
      ids = (await tx.$queryRaw<{ id: string }[]>(pageOf(metadata))).map(({ id }) => id);
    });
    return { ids: ids.map(id => Number(id.slice(1))), reads };
  };

  it('are found by a rare pair with the index, and read hardly more than the page', async () => {
    const plan = await database
      .db()
      .$transaction(tx => tx.$queryRaw(Prisma.sql`explain (format json) ${pageOf({ crm: 'c-777' })}`), PATIENCE);
    expect(JSON.stringify(plan)).toContain('customers_by_metadata');
    expect(JSON.stringify(plan)).not.toContain('Seq Scan');
    const { ids, reads } = await find({ crm: 'c-777' });
    expect(ids).toEqual([1555, 1554]);
    expect(reads).toBeLessThan(20);
    expect(await find({ crm: 'c-777', canal: 'shop' })).toMatchObject({ ids: [1554] });
    expect(await find({ crm: 'c-25' })).toMatchObject({ ids: [51] });
  });

  it('are found by a frequent pair with few reads', async () => {
    const { ids, reads } = await find({ canal: 'web' });
    expect(ids.slice(0, 3)).toEqual([99_998, 99_997, 99_995]);
    expect(reads).toBeLessThan(200);
  });
});
