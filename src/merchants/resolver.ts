import { Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../context';
import { merchantBalances } from '../ledger/balances';
import { ApiError } from '../platform/errors';
import { Merchant } from './fields';

@Resolver()
export class MerchantResolver {
  @Query(() => Merchant, { description: 'The merchant whose key it is' })
  async merchant(@Ctx() { db, merchant_id }: Context): Promise<Merchant> {
    const merchant = await db.merchant.findUnique({ where: { id: merchant_id } });
    if (!merchant) throw new ApiError('not_found');
    return { ...merchant, ...(await merchantBalances(db, merchant_id)) };
  }
}
