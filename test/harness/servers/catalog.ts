/** The guarantees of a database schema to programs, and those that a migration breaks. */
import type { Client } from 'pg';

interface Item {
  kind: 'table' | 'column' | 'constraint' | 'unique index' | 'function' | 'enum value';
  name: string;
  /** The table or column; otherwise empty. */
  table: string;
  definition: string;
  /** For a column: a row without a value is refused. */
  required: boolean;
  /** For a constraint or an index. */
  columns: string[] | null;
}

type Catalog = Map<string, Item>;

const IN_PUBLIC = `relnamespace = 'public'::regnamespace and relname <> '_prisma_migrations'`;

const CATALOG = `
  select 'table' as kind, relname::text as name, relname::text as "table", '' as definition, false as required, null::text[] as columns
  from pg_class where relkind in ('r', 'v', 'p') and ${IN_PUBLIC}
  union all
  select 'column', relname || '.' || attname, relname, format_type(atttypid, atttypmod),
    attnotnull and not atthasdef and attidentity = '', null
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where attnum > 0 and not attisdropped and relkind in ('r', 'v', 'p') and ${IN_PUBLIC}
  union all
  select 'constraint', relname || '.' || conname, relname, pg_get_constraintdef(pg_constraint.oid), false,
    array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any(conkey))
  from pg_constraint join pg_class on pg_class.oid = conrelid where contype in ('c', 'f', 'x') and ${IN_PUBLIC}
  union all
  select 'unique index', indexes.relname, pg_class.relname, substring(pg_get_indexdef(indexrelid) from ' USING .*'), false,
    array(select attname::text from pg_attribute where attrelid = indrelid and attnum = any(indkey))
  from pg_index join pg_class on pg_class.oid = indrelid join pg_class indexes on indexes.oid = indexrelid
  where indisunique and pg_class.relname <> '_prisma_migrations' and pg_class.relnamespace = 'public'::regnamespace
  union all
  select 'function', oid::regprocedure::text, '', prorettype::regtype::text, false, null
  from pg_proc where pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
  union all
  select 'enum value', enumtypid::regtype || ' ' || enumlabel, '', '', false, null from pg_enum`;

export async function readCatalog(client: Client): Promise<Catalog> {
  const { rows } = await client.query<Item>(CATALOG);
  return new Map(rows.map(item => [`${item.kind} ${item.name}`, item]));
}

/** Descriptions of the changes that break programs written for the earlier schema. */
export function contractions(before: Catalog, after: Catalog): string[] {
  const existedBefore = (kind: Item['kind'], name: string): boolean => before.has(`${kind} ${name}`);
  const found: string[] = [];
  // A removed rule refuses nothing; but a unique index is also the target of "on conflict".
  for (const [key, { kind }] of before) if (!after.has(key) && kind !== 'constraint') found.push(`${key} is gone`);
  for (const [key, item] of after) {
    const earlier = before.get(key);
    const isOfOldTable = existedBefore('table', item.table);
    const concernsOldColumns = item.columns?.some(column => existedBefore('column', `${item.table}.${column}`));
    if (earlier?.definition === item.definition && earlier.required === item.required) continue;
    if (item.kind === 'column' && item.required && isOfOldTable && !earlier?.required)
      found.push(`${key} must be given`);
    if (item.kind === 'column' || item.kind === 'function') {
      if (earlier && earlier.definition !== item.definition) found.push(`${key} has another type`);
    } else if (isOfOldTable && concernsOldColumns && !isWider(earlier, item)) found.push(`${key} refuses more`);
  }
  return found;
}

const LITERAL = /'[^']*'::[a-z ]+(?:, )?/g;

/** The same rule with more values. */
function isWider(earlier: Item | undefined, { definition }: Item): boolean {
  if (!earlier || earlier.definition.replace(LITERAL, '') !== definition.replace(LITERAL, '')) return false;
  const literals = (text: string): string[] => text.match(LITERAL)?.map(literal => literal.replace(', ', '')) ?? [];
  return literals(earlier.definition).every(literal => literals(definition).includes(literal));
}
