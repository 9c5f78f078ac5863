import { Ctx, Mutation, Resolver } from 'type-graphql';
import { unavailable } from '../acquirer/unavailable';
import { makeWaiting } from '../charges/pending/create';
import { refuseAccount, refuseWrongPayer } from '../charges/pending/forms';
import { refuseUnlikePse } from '../charges/pending/pseRules';
import { requireAddress } from '../charges/pending/redirectUrl';
import { pageOf } from '../charges/view';
import type { Context } from '../context';
import { findCustomer } from '../customers/resolver';
import { Body, CustomerId, type Owner } from '../schema/arguments';
import { CreatePse, PsePayment } from './fields';

@Resolver()
export class PseResolver {
  @Mutation(() => PsePayment, { description: "Opens a payment at the payer's bank" })
  async createPse(
    @Ctx() context: Context,
    @Body('pse', () => CreatePse, 'What is paid') pse: CreatePse,
    @CustomerId() customer_id?: Owner,
  ): Promise<PsePayment> {
    const customer = typeof customer_id === 'string' ? await findCustomer(context, customer_id) : null;
    refuseWrongPayer(pse, customer);
    refuseUnlikePse(pse);
    const redirect_url = pse.redirect_url ? requireAddress(pse.redirect_url) : undefined;
    refuseAccount(customer);
    const wanted = { ...pse, method: 'bank_account' as const, redirect_url };
    const row = await makeWaiting(context, wanted, customer).catch(unavailable);
    return { orderId: row.order_id ?? row.id, redirect_url: pageOf(row) };
  }
}
