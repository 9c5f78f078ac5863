import { ascending, NEWEST_FIRST, type Order } from '../../schema/connections/order';
import type { Customer, CustomerSortName } from './fields';

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
