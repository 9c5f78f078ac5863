import { Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { merchantBalances } from '../../ledger/rows';
import { ApiError } from '../../platform/errors';
import { Body } from '../../schema/arguments';
import type { Context } from '../../schema/operation/context';
import { findBankAccounts } from '../bankAccounts/rows';
import { Merchant, type PayerActionName, type PayerEmailName, UpdateMerchant } from './fields';
import { logoUrl, updateProfile } from './profile';

@Resolver()
export class MerchantResolver {
  @Query(() => Merchant, { description: 'Returns the authenticated merchant' })
  async merchant(@Ctx() context: Context): Promise<Merchant> {
    return findMerchant(context);
  }

  @Mutation(() => Merchant, { description: 'Updates the profile of the merchant' })
  async updateMerchant(
    @Ctx() context: Context,
    @Body('merchant', () => UpdateMerchant, 'Changes') changes: UpdateMerchant,
  ): Promise<Merchant> {
    await updateProfile(context, changes);
    return findMerchant(context);
  }
}

async function findMerchant({ db, merchant_id, publicUrl }: Context): Promise<Merchant> {
  const merchant = await db.merchant.findUnique({ where: { id: merchant_id } });
  if (!merchant) throw new ApiError('not_found');
  const logo = merchant.logo && logoUrl(publicUrl, merchant.logo);
  const { present: bank_account = null, pending: pending_bank_account = null } = await findBankAccounts(
    db,
    merchant_id,
  );
  const payer_actions = merchant.payer_actions as PayerActionName[];
  const payer_emails = merchant.payer_emails as PayerEmailName[];
  const balances = await merchantBalances(db, merchant_id);
  return { ...merchant, logo, payer_actions, payer_emails, bank_account, pending_bank_account, ...balances };
}
