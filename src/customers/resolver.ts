import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../context';
import { ApiError } from '../errors';
import { isId } from '../identifiers';
import { Body, Id } from '../schema/arguments';
import { connect, newestFirst, within } from '../schema/list';
import { CreateCustomer, Customer, CustomerConnection, CustomersPage, CustomersWindow, UpdateCustomer } from './fields';
import { type CustomerRow, customerById, insertCustomer } from './rows';

/** The row as both doors show it. */
const shown = ({ customer_address, status, ...row }: CustomerRow): Customer => ({
  ...row,
  status: status as Customer['status'],
  customer_address: customer_address as Customer['customer_address'],
  balance: 0n,
  address: null,
  clabe: null,
});

/** Every path below a deleted customer is gone, so no operation sees one. */
const live = ({ merchant_id }: Context) => ({ merchant_id, status: 'active' }) as const;

export async function findCustomer({ db, merchant_id }: Context, id: string): Promise<CustomerRow> {
  const found = isId(id) ? await customerById(db, id) : undefined;
  if (found?.merchant_id !== merchant_id || found.status !== 'active') throw new ApiError('not_found');
  return found;
}

/** Paid for by its own money: an account that still holds some keeps its customer. */
function refuseWithBalance({ balance }: Customer): void {
  if (balance > 0n) throw new ApiError('not_allowed', 'The customer still has a balance');
}

@Resolver()
export class CustomerResolver {
  @Query(() => Customer, { description: 'One customer' })
  async customer(@Ctx() context: Context, @Id('customer_id', 'Which customer') customer_id: string): Promise<Customer> {
    return shown(await findCustomer(context, customer_id));
  }

  @Query(() => [Customer], { description: 'Customers, newest first' })
  async customers(@Ctx() context: Context, @Args(() => CustomersPage) page: CustomersPage): Promise<Customer[]> {
    const rows = await context.db.customer.findMany({
      where: { ...live(context), external_id: page.external_id, ...within(page) },
      orderBy: [...newestFirst],
      skip: page.offset,
      take: page.limit,
    });
    return rows.map(shown);
  }

  @Query(() => CustomerConnection, { description: 'Customers by cursor, newest first' })
  async customersConnection(
    @Ctx() context: Context,
    @Args(() => CustomersWindow) window: CustomersWindow,
  ): Promise<CustomerConnection> {
    const rows = await context.db.customer.findMany({
      where: { ...live(context), external_id: window.external_id, ...within(window, window.after) },
      orderBy: [...newestFirst],
      take: window.first + 1,
    });
    return connect(rows.map(shown), window.first);
  }

  @Mutation(() => Customer, { description: 'Creates a customer' })
  async createCustomer(
    @Ctx() context: Context,
    @Body('customer', () => CreateCustomer, 'The new customer') customer: CreateCustomer,
  ): Promise<Customer> {
    return shown(await insertCustomer(context, customer));
  }

  @Mutation(() => Customer, { description: 'Changes a customer' })
  async updateCustomer(
    @Ctx() context: Context,
    @Id('customer_id', 'Which customer') customer_id: string,
    @Body('customer', () => UpdateCustomer, 'What to change') { customer_address, ...changes }: UpdateCustomer,
  ): Promise<Customer> {
    const data = { ...changes, ...(customer_address ? { customer_address: { ...customer_address } } : {}) };
    const where = { id: customer_id, ...live(context) };
    const [row] = isId(customer_id) ? await context.db.customer.updateManyAndReturn({ where, data }) : [];
    if (!row) throw new ApiError('not_found');
    return shown(row);
  }

  @Mutation(() => Boolean, { description: 'Deletes a customer for good. Refused while it has a balance' })
  async deleteCustomer(
    @Ctx() context: Context,
    @Id('customer_id', 'Which customer') customer_id: string,
  ): Promise<boolean> {
    refuseWithBalance(shown(await findCustomer(context, customer_id)));
    const where = { id: customer_id, ...live(context) };
    const { count } = await context.db.customer.updateMany({ where, data: { status: 'deleted' } });
    if (count === 0) throw new ApiError('not_found');
    return true;
  }
}
