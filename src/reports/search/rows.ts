/** The SQL of the search: exact matches by key, the newest subscriptions of an owner, and text matches. */
import { Prisma } from '../../../prisma/generated/client';
import { idIn } from '../../platform/database/rows';
import type { FoundRow, SearchScope } from './ranking';
import { type indexedPatterns, RANKS, type SearchedText } from './text';

interface KeyLookup {
  type: FoundRow['type'];
  matched: string;
  rank: number;
  table: 'customers' | 'plans' | 'transactions' | 'subscriptions';
  /** The value to look up; undefined if the text cannot be such a value. */
  valueIn(text: SearchedText): string | bigint | undefined;
  /** Conditions after `merchant_id`. Rows are returned newest first. */
  where(value: string | bigint): Prisma.Sql;
}

const ACTIVE = Prisma.raw(`status = 'active'`);
const CHARGE = Prisma.raw(`transaction_type = 'charge'`);
const NEWEST_FIRST = Prisma.raw('order by creation_date desc');

const byId = (type: KeyLookup['type'], table: KeyLookup['table'], condition: Prisma.Sql): KeyLookup => ({
  type,
  matched: 'id',
  rank: RANKS.id,
  table,
  valueIn: ({ id }) => id,
  where: id => Prisma.sql`id = ${id} and ${condition}`,
});

const LOOKUPS: readonly KeyLookup[] = [
  byId('customer', 'customers', ACTIVE),
  byId('plan', 'plans', Prisma.raw('true')),
  byId('charge', 'transactions', CHARGE),
  byId('subscription', 'subscriptions', Prisma.raw(`status <> 'new'`)),
  {
    type: 'customer',
    matched: 'email',
    rank: RANKS.whole,
    table: 'customers',
    valueIn: ({ text }) => (text.includes('@') ? text : undefined),
    where: email => Prisma.sql`lower(email) = lower(${email}) and ${ACTIVE}`,
  },
  {
    type: 'customer',
    matched: 'external_id',
    rank: RANKS.whole,
    table: 'customers',
    valueIn: ({ text }) => text,
    where: external_id => Prisma.sql`external_id = ${external_id} and ${ACTIVE}`,
  },
  {
    type: 'charge',
    matched: 'order_id',
    rank: RANKS.whole,
    table: 'transactions',
    valueIn: ({ text }) => text,
    where: order_id => Prisma.sql`order_id = ${order_id} and ${CHARGE}`,
  },
  {
    type: 'charge',
    matched: 'authorization',
    rank: RANKS.whole,
    table: 'transactions',
    valueIn: ({ text }) => (text.length <= 20 ? text : undefined),
    where: code => Prisma.sql`"authorization" = ${code} and ${CHARGE} ${NEWEST_FIRST}`,
  },
  {
    type: 'charge',
    matched: 'amount',
    rank: RANKS.amount,
    table: 'transactions',
    valueIn: ({ amount }) => amount,
    where: amount => Prisma.sql`amount = ${amount} and ${CHARGE} ${NEWEST_FIRST}`,
  },
  {
    type: 'charge',
    matched: 'card_number',
    rank: RANKS.card,
    table: 'transactions',
    valueIn: ({ lastFour }) => lastFour,
    where: digits =>
      Prisma.sql`right(card ->> 'card_number', 4) = ${digits} and card is not null and ${CHARGE} and progress = 'settled'
        ${NEWEST_FIRST}`,
  },
];

export async function findByKey(
  { tx, merchant_id }: SearchScope,
  text: SearchedText,
  limit: number,
): Promise<FoundRow[]> {
  const selects = LOOKUPS.flatMap(({ type, matched, rank, table, valueIn, where }) => {
    const value = valueIn(text);
    if (value === undefined) return [];
    const names = Prisma.raw(`'${type}' as type, '${matched}' as matched, ${rank} as rank`);
    return [
      Prisma.sql`(select ${names}, id, creation_date from ${Prisma.raw(table)} where merchant_id = ${merchant_id} and ${where(value)}
        limit ${limit})`,
    ];
  });
  return tx.$queryRaw<FoundRow[]>(Prisma.join(selects, ' union all '));
}

/** Per customer or plan. */
const MAX_SUBSCRIPTIONS = 5;

type OwnedSubscription = Pick<FoundRow, 'id' | 'creation_date'> & { owner: string };

export const newestSubscriptions = (
  tx: SearchScope['tx'],
  merchant_id: string,
  matched: 'customer' | 'plan',
  owners: string[],
): Promise<OwnedSubscription[]> =>
  tx.$queryRaw`
      select owner.id as owner, subscription.* from unnest(${owners}::varchar[]) as owner (id),
        lateral (
          select id, creation_date from subscriptions
          where ${Prisma.raw(`${matched}_id`)} = owner.id and merchant_id = ${merchant_id} and status <> 'new'
          order by creation_date desc, id desc limit ${MAX_SUBSCRIPTIONS}
        ) as subscription`;

export type TextRow = { id: string; creation_date: Date } & Record<string, unknown>;

/** Records of one type, with their searched fields. */
interface TextSource extends SearchScope {
  table: string;
  condition: string;
  fields: Record<string, string>;
}

function readText({ tx, table, fields }: TextSource, rest: Prisma.Sql): Promise<TextRow[]> {
  const columns = Prisma.raw(
    Object.entries(fields)
      .map(([name, column]) => `${column} as ${name}`)
      .join(', '),
  );
  return tx.$queryRaw(Prisma.sql`select id, creation_date, ${columns} from ${Prisma.raw(table)} where ${rest}`);
}

const isOwn = ({ merchant_id, condition }: TextSource): Prisma.Sql =>
  Prisma.sql`merchant_id = ${merchant_id} and ${Prisma.raw(condition)}`;

export const readNewest = (source: TextSource, limit: number): Promise<TextRow[]> =>
  readText(source, Prisma.sql`${isOwn(source)} order by creation_date desc, id desc limit ${limit}`);

/** Rows in index order, beginning at the text. */
export const readSorted = (source: TextSource, by: string, text: string, limit: number): Promise<TextRow[]> => {
  const key = Prisma.raw(by);
  const rest = Prisma.sql`${isOwn(source)} and ${key} >= search_text(${text}) order by ${key}, id limit ${limit}`;
  return readText(source, rest);
};

/** `search` is the SQL function that finds IDs by the trigram index. */
export async function readIndexed(
  source: TextSource,
  search: string,
  [one, two, three]: NonNullable<ReturnType<typeof indexedPatterns>>,
  limit: number,
): Promise<TextRow[]> {
  const indexed = await source.tx.$queryRaw<{ id: string }[]>(
    Prisma.sql`select id from ${Prisma.raw(search)}(${source.merchant_id}, search_text(${one}), search_text(${two}), search_text(${three}),
      ${limit}) as id`,
  );
  return readText(source, Prisma.sql`id ${idIn(indexed.map(({ id }) => id))}`);
}
