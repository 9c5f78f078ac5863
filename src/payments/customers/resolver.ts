import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { customerAccount } from '../../ledger/accounts';
import { balanceOf } from '../../ledger/rows';
import { omitUndefined } from '../../platform/database/omitUndefined';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import type { Money } from '../../platform/money';
import { Body, Id } from '../../schema/arguments';
import { readFitting, readPage } from '../../schema/boundedList';
import { toConnection } from '../../schema/connections/connection';
import { countRecords } from '../../schema/connections/rows';
import { pageSlice, sliceOf } from '../../schema/connections/window';
import { Errors } from '../../schema/errors/mutationErrors';
import type { Context } from '../../schema/operation/context';
import { AllowCustomerSession } from '../../schema/operation/guard';
import { rejectFromCustomerSession } from '../metadata/metadata';
import { metadataColumn } from '../metadata/rows';
import { deleteCustomer } from './deletion';
import {
  CreateCustomer,
  Customer,
  CustomerConnection,
  CustomersArgs,
  CustomersConnectionArgs,
  UpdateCustomer,
} from './fields';
import { customerOrders } from './list';
import {
  type CustomerRow,
  clearEmptyTexts,
  customerConditions,
  customerList,
  findCustomer,
  insertCustomer,
  narrowCustomer,
} from './rows';
import { allowEmail, emailStatusOf } from './suppression';

/** Missing properties come before the spread, which V8 executes much faster than after it. */
export const toCustomer = (row: CustomerRow, balance: Money): Customer => ({
  address: null,
  clabe: null,
  ...row,
  balance,
});

const withBalance = async ({ db }: Context, row: CustomerRow): Promise<Customer> =>
  toCustomer(row, row.requires_account ? await balanceOf(db, customerAccount(row.id)) : 0n);

/** Operations do not find deleted customers or their resources. */
const activeCustomers = ({ merchant_id }: Context) => ({ merchant_id, status: 'active' }) as const;

@Resolver()
export class CustomerResolver {
  @Query(() => Customer, { description: 'Retrieves a customer' })
  @AllowCustomerSession()
  async customer(@Ctx() context: Context, @Id('customer_id', 'customer') customer_id: string): Promise<Customer> {
    const customer = await findCustomer(context, customer_id);
    return toCustomer(customer, customer.balance);
  }

  @Query(() => [Customer], { description: 'Lists customers, newest first' })
  async customers(@Ctx() context: Context, @Args(() => CustomersArgs) page: CustomersArgs): Promise<Customer[]> {
    const list = customerList(context, customerConditions(context, page), pageSlice(page));
    const rows = await readPage(context, list);
    return rows.map(row => toCustomer(row, row.balance));
  }

  @Query(() => CustomerConnection, { description: 'Lists customers' })
  async customersConnection(
    @Ctx() context: Context,
    @Args(() => CustomersConnectionArgs) window: CustomersConnectionArgs,
  ): Promise<CustomerConnection> {
    const conditions = customerConditions(context, window);
    const order = customerOrders[window.sort ?? 'creation_desc'];
    const { records, isCut } = await readFitting(context, customerList(context, conditions, sliceOf(window, order)));
    const customers = records.map(row => toCustomer(row, row.balance));
    return toConnection(window, customers, () => countRecords(context.db, 'customers', conditions), { isCut, order });
  }

  @Mutation(() => Customer, { description: 'Creates a customer' })
  async createCustomer(
    @Ctx() context: Context,
    @Body('customer', () => CreateCustomer, 'The new customer') customer: CreateCustomer,
  ): Promise<Customer> {
    return toCustomer(await insertCustomer(context, customer), 0n);
  }

  @Mutation(() => Customer, { description: 'Updates a customer' })
  @AllowCustomerSession()
  async updateCustomer(
    @Ctx() context: Context,
    @Id('customer_id', 'customer') customer_id: string,
    @Body('customer', () => UpdateCustomer, 'The changes') changes: UpdateCustomer,
  ): Promise<Customer> {
    rejectFromCustomerSession(context, changes, 'metadata');
    const { metadata, ...fields } = clearEmptyTexts(changes);
    const data = { ...fields, ...omitUndefined({ metadata: metadataColumn(metadata) }) };
    const where = { id: customer_id, ...activeCustomers(context) };
    const [row] = isId(customer_id) ? await context.db.customer.updateManyAndReturn({ where, data }) : [];
    if (!row) throw new ApiError('not_found');
    return withBalance(context, { ...narrowCustomer(row), email_status: await emailStatusOf(context, row) });
  }

  @Mutation(() => Customer, {
    description: 'Resumes e-mails to a customer after a bounce or a spam complaint',
  })
  async resumeCustomerEmails(
    @Ctx() context: Context,
    @Id('customer_id', 'customer') customer_id: string,
  ): Promise<Customer> {
    const { balance, ...customer } = await findCustomer(context, customer_id);
    await allowEmail(context, customer);
    return toCustomer({ ...customer, email_status: null }, balance);
  }

  @Mutation(() => Customer, {
    description: 'Deletes a customer permanently and cancels its subscriptions. Requires a zero balance',
  })
  @AllowCustomerSession()
  @Errors('not_allowed')
  async deleteCustomer(@Ctx() context: Context, @Id('customer_id', 'customer') customer_id: string): Promise<Customer> {
    const { balance, ...customer } = await findCustomer(context, customer_id);
    if (balance !== 0n) throw new ApiError('not_allowed', 'customer_has_balance');
    if (!(await deleteCustomer(context, customer_id))) throw new ApiError('not_allowed', 'customer_is_busy');
    return toCustomer({ ...customer, status: 'deleted' }, balance);
  }
}
