import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { Prisma } from '../../../prisma/generated/client';
import { omitUndefined } from '../../platform/database/omitUndefined';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import { Body, Id } from '../../schema/arguments';
import { toConnection } from '../../schema/connections/connection';
import { totalWhere } from '../../schema/connections/rows';
import { pageSlice, type Slice, sliced, sliceOf } from '../../schema/connections/window';
import { Errors } from '../../schema/errors/mutationErrors';
import { listWhere } from '../../schema/list';
import type { Context } from '../../schema/operation/context';
import { RecentKey, RequiresActiveMerchant } from '../../schema/operation/guard';
import { findTransaction, findTransactions, type TransactionRow } from '../charges/rows';
import { createPayout } from './create';
import { CreatePayout, Payout, PayoutConnection, PayoutsArgs, PayoutsConnectionArgs } from './fields';
import { loadPayout } from './view';

export async function findPayout({ db, merchant_id }: Context, id: string): Promise<TransactionRow> {
  const row = isId(id) ? await findTransaction(db, { id, merchant_id, transaction_type: 'payout' }) : undefined;
  if (!row) throw new ApiError('not_found');
  return row;
}

function payoutsWhere({ merchant_id }: Context, filters: PayoutsArgs | PayoutsConnectionArgs) {
  const { order_id, status, status_in, amount, amount_gte, amount_lte } = filters;
  return {
    merchant_id,
    transaction_type: 'payout',
    ...omitUndefined({ order_id }),
    status: omitUndefined({ equals: status, in: status_in?.length ? status_in : undefined }),
    amount: omitUndefined({ equals: amount, gte: amount_gte, lte: amount_lte }),
    ...listWhere(filters),
  };
}

async function readPayouts({ db }: Context, where: Prisma.TransactionWhereInput, slice: Slice): Promise<Payout[]> {
  const rows = await findTransactions(db, sliced(where, slice));
  return Promise.all(rows.map(row => loadPayout(db, row)));
}

@Resolver()
export class PayoutResolver {
  @Query(() => Payout, { description: 'Retrieves a payout' })
  async payout(
    @Ctx() context: Context,
    @Id('payout_id', 'transaction', 'Payout ID') payout_id: string,
  ): Promise<Payout> {
    return loadPayout(context.db, await findPayout(context, payout_id));
  }

  @Query(() => [Payout], { description: 'Lists payouts, newest first' })
  payouts(@Ctx() context: Context, @Args(() => PayoutsArgs) page: PayoutsArgs): Promise<Payout[]> {
    return readPayouts(context, payoutsWhere(context, page), pageSlice(page));
  }

  @Query(() => PayoutConnection, { description: 'Lists payouts, newest first' })
  async payoutsConnection(
    @Ctx() context: Context,
    @Args(() => PayoutsConnectionArgs) window: PayoutsConnectionArgs,
  ): Promise<PayoutConnection> {
    const where = payoutsWhere(context, window);
    const payouts = await readPayouts(context, where, sliceOf(window));
    return toConnection(window, payouts, totalWhere(context.db, 'transactions', where));
  }

  @Mutation(() => Payout, { description: "Creates a payout to the merchant's bank account" })
  @RequiresActiveMerchant()
  @RecentKey()
  @Errors('not_allowed', 'insufficient_balance')
  async createPayout(
    @Ctx() context: Context,
    @Body('payout', () => CreatePayout, 'The new payout') payout: CreatePayout,
  ): Promise<Payout> {
    return loadPayout(context.db, await createPayout(context, context.merchant_id, payout));
  }
}
