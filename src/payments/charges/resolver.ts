import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { rethrowUnavailable } from '../../gateway/acquirer/unavailable';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import { Body, CustomerId, Id, type OwnerId } from '../../schema/arguments';
import { Errors } from '../../schema/errors/mutationErrors';
import type { Context } from '../../schema/operation/context';
import { AllowCustomerSession, CardRateLimit, RequiresActiveMerchant } from '../../schema/operation/guard';
import { readCvv2 } from '../cardDetails/details';
import { findCustomer } from '../customers/rows';
import { captureCharge, voidCharge } from './card/capture';
import { createCardCharge, throwIfFailed } from './card/charge';
import { refundCharge } from './card/refund';
import { Transaction, TransactionConnection } from './fields';
import { ChargesArgs, ChargesConnectionArgs } from './filters';
import { listTransactions, transactionConnection, transactionWhere, withRefunds } from './list';
import { createPendingPayment } from './pending/create';
import { readPendingPayment } from './pending/readPayment';
import { CaptureCharge, CreateCharge, CreateRefund } from './requests';
import { findTransaction, type TransactionRow } from './rows';
import { toTransaction } from './view';

/** Finds a charge of the customer, or any charge of the merchant without customer_id. */
export async function findCharge(
  context: Context,
  id: string,
  customer_id: OwnerId = null,
  types: TransactionRow['transaction_type'][] = ['charge'],
): Promise<TransactionRow> {
  if (customer_id !== null) await findCustomer(context, customer_id);
  const { db, merchant_id } = context;
  const charge = isId(id) ? await findTransaction(db, { id, merchant_id, transaction_type: { in: types } }) : undefined;
  if (!charge || (customer_id !== null && charge.customer_id !== customer_id)) throw new ApiError('not_found');
  return charge;
}

@Resolver()
export class ChargeResolver {
  @Query(() => Transaction, { description: 'Retrieves a charge, or a refund by its ID' })
  @AllowCustomerSession()
  async charge(
    @Ctx() context: Context,
    @Id('transaction_id', 'transaction', 'Charge ID') transaction_id: string,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Transaction> {
    return withRefunds(context.db, await findCharge(context, transaction_id, customer_id, ['charge', 'refund']));
  }

  @Query(() => [Transaction], { description: 'Lists charges or refunds, newest first' })
  @AllowCustomerSession()
  async charges(@Ctx() context: Context, @Args(() => ChargesArgs) page: ChargesArgs): Promise<Transaction[]> {
    return listTransactions(context, transactionWhere(context, 'charge', page), page);
  }

  @Query(() => TransactionConnection, { description: 'Lists charges' })
  @AllowCustomerSession()
  async chargesConnection(
    @Ctx() context: Context,
    @Args(() => ChargesConnectionArgs) window: ChargesConnectionArgs,
  ): Promise<TransactionConnection> {
    return transactionConnection(context, transactionWhere(context, 'charge', window), window);
  }

  @Mutation(() => Transaction, {
    description: 'Creates a charge to a saved card or a token, or a pending payment',
  })
  @CardRateLimit()
  @RequiresActiveMerchant()
  @AllowCustomerSession()
  async createCharge(
    @Ctx() context: Context,
    @Body('charge', () => CreateCharge, 'The new charge') charge: CreateCharge,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Transaction> {
    const customer = typeof customer_id === 'string' ? await findCustomer(context, customer_id) : null;
    const pendingPayment = readPendingPayment(charge, customer);
    if (pendingPayment) {
      const row = await createPendingPayment(context, pendingPayment, customer).catch(rethrowUnavailable);
      return toTransaction(row, []);
    }
    const cvv2 = readCvv2(charge.cvv2 ?? undefined);
    if (cvv2 !== undefined && (cvv2.length < 3 || cvv2.length > 4)) throw new ApiError('wrong_cvv2');
    const { row, isNew } = await createCardCharge(context, charge, customer, cvv2).catch(rethrowUnavailable);
    throwIfFailed(row);
    return isNew ? toTransaction(row, []) : withRefunds(context.db, row);
  }

  @Mutation(() => Transaction, { description: 'Captures a reserved amount, in full or in part' })
  @RequiresActiveMerchant()
  @AllowCustomerSession()
  @Errors('not_allowed')
  async captureCharge(
    @Ctx() context: Context,
    @Id('transaction_id', 'transaction', 'Charge ID') transaction_id: string,
    @Body('capture', () => CaptureCharge, 'The capture') { amount }: CaptureCharge,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Transaction> {
    const charge = await findCharge(context, transaction_id, customer_id);
    return withRefunds(context.db, await captureCharge(context, charge, amount).catch(rethrowUnavailable));
  }

  @Mutation(() => Transaction, {
    description: 'Refunds a charge, in full or in part; cancels an uncaptured charge',
  })
  @RequiresActiveMerchant()
  @AllowCustomerSession()
  @Errors('not_allowed', 'insufficient_balance')
  async refundCharge(
    @Ctx() context: Context,
    @Id('transaction_id', 'transaction', 'Charge ID') transaction_id: string,
    @Body('refund', () => CreateRefund, 'The refund') refund: CreateRefund,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Transaction> {
    const charge = await findCharge(context, transaction_id, customer_id);
    if (charge.page_key === null && (charge.status === 'in_progress' || charge.status === 'cancelled')) {
      if (refund.amount !== undefined && refund.amount !== charge.amount)
        throw new ApiError('invalid_value', 'cancelled_as_whole', { field: 'amount' });
      return withRefunds(context.db, await voidCharge(context, charge).catch(rethrowUnavailable));
    }
    await refundCharge(context, charge, refund).catch(rethrowUnavailable);
    return withRefunds(context.db, await findCharge(context, transaction_id));
  }
}
