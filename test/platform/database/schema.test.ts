import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Client } from 'pg';
import { testDatabase } from '../../harness/servers/database';
import { inDatabase } from '../../harness/world/database';

/**
 * The catalog, with one line for each column, enum, constraint and index. Names of indexes and constraints are omitted,
 * because nothing refers to them.
 */
async function readCatalog(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    select format('column %s.%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
                  case when a.attnotnull then 'not null' else 'null' end, pg_get_expr(d.adbin, d.adrelid)) as line
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    union all
    select format('enum %s %s', t.typname, string_agg(e.enumlabel, ', ' order by e.enumsortorder))
      from pg_type t join pg_enum e on e.enumtypid = t.oid group by t.typname
    union all
    select format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace and contype in ('p', 'f', 'u')
    union all
    select format('index %s', regexp_replace(indexdef, 'INDEX \\S+ ON', 'INDEX ON'))
      from pg_indexes where schemaname = 'public'`);
  return rows
    .map(row => row.line)
    .filter(line => !line.includes('_prisma_migrations'))
    .sort();
}

/** Partial and expression indexes, which schema.prisma cannot describe. */
const isBeyondPrisma = (line: string): boolean => / WHERE |\(\(/.test(line);

describe('the migrated database', () => {
  const migrated = testDatabase();
  const described = testDatabase('empty');
  let expected: string[];

  beforeAll(async () => {
    const script = require.resolve('../../harness/servers/schemaSql.mjs');
    const { stdout: sql } = await promisify(execFile)(process.execPath, [script, described.url()]);
    expected = await inDatabase(described.url(), async client => {
      await client.query(sql);
      return readCatalog(client);
    });
  });
  const findDifference = async () => {
    const actual = await inDatabase(migrated.url(), readCatalog);
    return {
      missing: expected.filter(line => !actual.includes(line)),
      extra: actual.filter(line => !expected.includes(line) && !isBeyondPrisma(line)),
    };
  };

  it('equals the schema in schema.prisma', async () => {
    expect(expected).toContain('column merchants.name character varying(100) not null ');
    expect(await findDifference()).toEqual({ missing: [], extra: [] });
  });

  it('differs if a column, an index or a foreign key differs', async () => {
    await inDatabase(migrated.url(), client =>
      client.query(`alter table merchants alter email type text; drop index api_keys_expires_at_idx;
                    alter table api_keys drop constraint api_keys_merchant_id_fkey`),
    );
    const { missing, extra } = await findDifference();
    expect(missing).toHaveLength(3);
    expect(extra).toEqual(['column merchants.email text not null ']);
  });
});
