import { Prisma } from '../../../prisma/generated/client';
import type { Money } from '../../platform/money';
import { ascending, NEWEST_FIRST, type Order } from '../../schema/connections/order';
import { type Slice, slicedSql } from '../../schema/connections/window';
import { createdConditions } from '../../schema/list';
import type { Context } from '../../schema/operation/context';
import type { Customer, CustomerSortName, CustomersPage, CustomersWindow } from './fields';
import { type CustomerRow, readCustomers } from './rows';

const byName: Order<Pick<Customer, 'id' | 'name' | 'last_name'>> = {
  name: 'name',
  by: ["search_text(name || ' ' || coalesce(last_name, ''))", 'id'],
  kinds: ['name', 'id'],
  placeOf: ({ name, last_name, id }) => [`${name} ${last_name ?? ''}`, id],
};

export const customerOrders: Record<CustomerSortName, Order<Customer>> = {
  creation_desc: NEWEST_FIRST,
  creation_asc: ascending(NEWEST_FIRST),
  name_asc: ascending(byName),
  name_desc: byName,
};

export const listCustomers = (
  { db }: Context,
  conditions: Prisma.Sql,
  slice: Slice,
): Promise<(CustomerRow & { balance: Money })[]> => readCustomers(db, slicedSql(conditions, slice));

export function customerConditions({ merchant_id }: Context, filters: CustomersPage | CustomersWindow): Prisma.Sql {
  const { external_id, email, name } = filters;
  const conditions = [
    Prisma.sql`merchant_id = ${merchant_id} and status = 'active'`,
    ...(external_id === undefined ? [] : [Prisma.sql`external_id = ${external_id}`]),
    ...(email === undefined ? [] : [Prisma.sql`lower(email) = lower(${email})`]),
    ...(name === undefined ? [] : [Prisma.sql`lower(name) like lower(${escapeWildcards(name)}) || '%'`]),
    ...createdConditions(filters),
  ];
  return Prisma.join(conditions, ' and ');
}

const escapeWildcards = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');
