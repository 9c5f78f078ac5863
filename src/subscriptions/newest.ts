/** The newest records of many owners, for the links between resources in GraphQL: one statement for all that are asked for together. */
import { Prisma } from '../../prisma/generated/client';
import { type CardRow, cardColumns } from '../cards/rows';
import { CHARGE_BYTES } from '../charges/list';
import { TRANSACTION_COLUMNS, type TransactionRow } from '../charges/rows';
import { batched, groupBy } from '../database/batch';
import type { Database } from '../database/connection';
import { ApiError } from '../platform/errors';
import { type BoundedRow, boundedRows } from '../schema/boundedList';
import { SUBSCRIPTION_COLUMNS, SUBSCRIPTION_JOINS, type SubscriptionRow } from './rows';

const MAX_NESTED_RECORDS = 1000;

interface NewestRequest {
  id: string;
  first: number;
}

/**
 * Loads the newest records of many owners at once. `from` is the rest of the statement, in which `owner.id` is the
 * owner.
 */
function newestLoader<R extends { id: string; creation_date: Date }>(
  columns: Prisma.Sql,
  from: Prisma.Sql,
  bound: (query: Prisma.Sql) => Prisma.Sql = query => query,
) {
  const keyOf = ({ id, first }: NewestRequest): string => `${id} ${first}`;
  const load = batched(
    async (db, wanted: readonly NewestRequest[]) => {
      const requests = new Map(wanted.map(request => [keyOf(request), request]));
      const owners = [...requests.values()];
      const rows = await db.$queryRaw<(R & { owner: string })[]>(
        bound(Prisma.sql`
          select owner.request as owner, record.* from unnest(${[...requests.keys()]}::text[],
            ${owners.map(({ id }) => id)}::varchar[], ${owners.map(({ first }) => first)}::integer[]) as owner (request, id, first),
            lateral (select ${columns} ${from} limit owner.first) record`),
      );
      const newest = rows.sort(
        (a, b) => b.creation_date.getTime() - a.creation_date.getTime() || (a.id < b.id ? 1 : -1),
      );
      const rowsByRequest = groupBy(newest, ({ owner }) => owner);
      return [...requests.keys()].map(id => ({ id, rows: (rowsByRequest.get(id) ?? []) as R[] }));
    },
    keyOf,
    1000,
  );
  return async (db: Database, request: NewestRequest): Promise<R[]> => {
    if (request.first < 1 || request.first > MAX_NESTED_RECORDS)
      throw new ApiError('invalid_value', { field: 'first', problem: `must be from 1 to ${MAX_NESTED_RECORDS}` });
    return (await load(db, request))?.rows ?? [];
  };
}

const NEWEST_FIRST = Prisma.raw('order by creation_date desc, id desc');
const subscriptionsBy = (column: string) =>
  newestLoader<SubscriptionRow>(
    SUBSCRIPTION_COLUMNS,
    Prisma.sql`from subscriptions s ${SUBSCRIPTION_JOINS} where s.${Prisma.raw(column)} = owner.id and s.status <> 'new'
      order by s.creation_date desc, s.id desc`,
  );
const chargesBy = (column: string) =>
  newestLoader<TransactionRow & BoundedRow>(
    Prisma.sql`${TRANSACTION_COLUMNS}, coalesce(octet_length(metadata::text), 0) + ${CHARGE_BYTES} as bytes`,
    Prisma.sql`from transactions where ${Prisma.raw(column)} = owner.id and transaction_type = 'charge' ${NEWEST_FIRST}`,
    boundedRows,
  );

export const subscriptionsOfCustomer = subscriptionsBy('customer_id');
export const subscriptionsOfPlan = subscriptionsBy('plan_id');
export const subscriptionsOfCard = subscriptionsBy('card_id');
export const chargesOfCustomer = chargesBy('customer_id');
export const chargesOfSubscription = chargesBy('subscription_id');
export const cardsOfCustomer = newestLoader<CardRow>(
  Prisma.raw(cardColumns.map(column => `"${column}"`).join(', ')),
  Prisma.sql`from cards where customer_id = owner.id and status = 'active' ${NEWEST_FIRST}`,
);
