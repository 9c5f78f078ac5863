/** Exact matches: IDs, e-mail addresses, order IDs, authorization codes, amounts and the last digits of a card. */
import { Prisma } from '../../../prisma/generated/client';
import type { FoundRow, SearchScope } from './ranking';
import { RANKS, type SearchedText } from './text';

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
