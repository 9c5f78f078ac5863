import { Prisma } from '../../prisma/generated/client';
import type { Context } from '../context';
import type { Money } from '../platform/money';
import { createdConditions, cursorConditions } from '../schema/list';
import type { CustomersPage, CustomersWindow } from './fields';
import { type CustomerRow, customerById } from './rows';

/** Newest first, with their balances. */
export async function listCustomers(
  { db, merchant_id }: Context,
  filters: CustomersPage | CustomersWindow,
  { skip = 0, take, after }: { skip?: number; take: number; after?: string | undefined },
): Promise<(CustomerRow & { balance: Money })[]> {
  const { external_id, email, name } = filters;
  const conditions = [
    Prisma.sql`merchant_id = ${merchant_id} and status = 'active'`,
    ...(external_id === undefined ? [] : [Prisma.sql`external_id = ${external_id}`]),
    ...(email === undefined ? [] : [Prisma.sql`lower(email) = lower(${email})`]),
    ...(name === undefined ? [] : [Prisma.sql`lower(name) like lower(${withoutWildcards(name)}) || '%'`]),
    ...createdConditions(filters),
    ...cursorConditions(after),
  ];
  const ids = await db.$queryRaw<{ id: string }[]>`
    select id from customers where ${Prisma.join(conditions, ' and ')}
    order by creation_date desc, id desc offset ${skip} limit ${take}`;
  const rows = await Promise.all(ids.map(({ id }) => customerById(db, id)));
  return rows.filter(row => row !== undefined);
}

const withoutWildcards = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');
