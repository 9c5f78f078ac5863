import { Ctx, Mutation, Resolver } from 'type-graphql';
import { rethrowUnavailable } from '../../gateway/acquirer/unavailable';
import { Body, CustomerId, type OwnerId } from '../../schema/arguments';
import { Errors } from '../../schema/errors/mutationErrors';
import type { Context } from '../../schema/operation/context';
import { AllowCustomerSession, RequiresActiveMerchant } from '../../schema/operation/guard';
import { createPendingPayment } from '../charges/pending/create';
import { requirePayer } from '../charges/pending/readPayment';
import { requireRedirectUrl } from '../charges/pending/redirectUrl';
import { paymentPageUrl } from '../charges/view';
import { findCustomer } from '../customers/rows';
import { checkCustomer, checkRequest } from '../methods/checks';
import { CreatePse, PsePayment } from './fields';

const METHOD = 'bank_account';

@Resolver()
export class PseResolver {
  @Mutation(() => PsePayment, { description: "Creates a PSE payment at the payer's bank" })
  @RequiresActiveMerchant()
  @AllowCustomerSession()
  @Errors('not_allowed')
  async createPse(
    @Ctx() context: Context,
    @Body('pse', () => CreatePse, 'The new payment') pse: CreatePse,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<PsePayment> {
    const customer = typeof customer_id === 'string' ? await findCustomer(context, customer_id) : null;
    requirePayer(pse, customer);
    checkRequest(METHOD, pse);
    const redirect_url = pse.redirect_url ? requireRedirectUrl(pse.redirect_url) : undefined;
    checkCustomer(METHOD, customer);
    const payment = { ...pse, method: METHOD, redirect_url } as const;
    const row = await createPendingPayment(context, payment, customer).catch(rethrowUnavailable);
    return { orderId: row.order_id ?? row.id, redirect_url: paymentPageUrl(row) };
  }
}
