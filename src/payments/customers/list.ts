import type { Prisma } from '../../../prisma/generated/client';
import type { Money } from '../../platform/money';
import { ascending, NEWEST_FIRST, type Order } from '../../schema/connections/order';
import { slicedSql } from '../../schema/connections/rows';
import type { Slice } from '../../schema/connections/window';
import type { Context } from '../../schema/operation/context';
import type { Customer, CustomerSortName } from './fields';
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
