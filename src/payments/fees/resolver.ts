import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import { Body, Id } from '../../schema/arguments';
import { Errors } from '../../schema/errors/mutationErrors';
import type { Context } from '../../schema/operation/context';
import { RequiresActiveMerchant } from '../../schema/operation/guard';
import { Transaction, TransactionConnection } from '../charges/fields';
import { TransactionsArgs, TransactionsConnectionArgs } from '../charges/filters';
import { listTransactions, transactionConnection, transactionWhere, withRefunds } from '../charges/list';
import { CreateRefund } from '../charges/requests';
import { findTransaction, type TransactionRow } from '../charges/rows';
import { findCustomer } from '../customers/rows';
import { CreateFee } from './fields';
import { payFee, refundFee } from './pay';

export async function findFee({ db, merchant_id }: Context, id: string): Promise<TransactionRow> {
  const fee = isId(id) ? await findTransaction(db, { id, merchant_id, transaction_type: 'fee' }) : undefined;
  if (!fee) throw new ApiError('not_found');
  return fee;
}

@Resolver()
export class FeeResolver {
  @Query(() => Transaction, { description: 'Retrieves a fee' })
  async fee(@Ctx() context: Context, @Id('fee_id', 'transaction', 'Fee ID') fee_id: string): Promise<Transaction> {
    return withRefunds(context.db, await findFee(context, fee_id));
  }

  @Query(() => [Transaction], { description: 'Lists fees, newest first' })
  async fees(@Ctx() context: Context, @Args(() => TransactionsArgs) page: TransactionsArgs): Promise<Transaction[]> {
    return listTransactions(context, transactionWhere(context, 'fee', page), page);
  }

  @Query(() => TransactionConnection, { description: 'Lists fees' })
  async feesConnection(
    @Ctx() context: Context,
    @Args(() => TransactionsConnectionArgs) window: TransactionsConnectionArgs,
  ): Promise<TransactionConnection> {
    return transactionConnection(context, transactionWhere(context, 'fee', window), window);
  }

  @Mutation(() => Transaction, { description: "Charges a fee to a customer's balance" })
  @RequiresActiveMerchant()
  @Errors('insufficient_balance')
  async createFee(
    @Ctx() context: Context,
    @Body('fee', () => CreateFee, 'The new fee') fee: CreateFee,
  ): Promise<Transaction> {
    return withRefunds(context.db, await payFee(context, fee, await findCustomer(context, fee.customer_id)));
  }

  @Mutation(() => Transaction, { description: "Refunds a fee to the customer's balance, in full or in part" })
  @RequiresActiveMerchant()
  @Errors('not_allowed', 'insufficient_balance')
  async refundFee(
    @Ctx() context: Context,
    @Id('fee_id', 'transaction', 'Fee ID') fee_id: string,
    @Body('refund', () => CreateRefund, 'The refund') refund: CreateRefund,
  ): Promise<Transaction> {
    await refundFee(context, await findFee(context, fee_id), refund);
    return withRefunds(context.db, await findFee(context, fee_id));
  }
}
