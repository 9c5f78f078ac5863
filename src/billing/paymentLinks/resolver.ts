import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { rethrowUnavailable } from '../../gateway/acquirer/unavailable';
import { Body, Id } from '../../schema/arguments';
import { toConnection } from '../../schema/connections/connection';
import { countRecords } from '../../schema/connections/rows';
import { pageSlice, sliceOf } from '../../schema/connections/window';
import { Errors } from '../../schema/errors/mutationErrors';
import type { Context } from '../../schema/operation/context';
import { RequiresActiveMerchant } from '../../schema/operation/guard';
import { cancelLink } from './cancel';
import { createLink } from './create';
import { CreatePaymentLink, SendPaymentLink } from './createFields';
import { PaymentLink, PaymentLinkConnection, PaymentLinksArgs, PaymentLinksConnectionArgs } from './fields';
import { findLink, linkConditions, listLinks } from './rows';
import { queueLinkMail } from './send';
import { toPaymentLink } from './view';

const ID = ['payment_link_id', 'payment_link'] as const;

@Resolver()
export class PaymentLinkResolver {
  @Query(() => PaymentLink, { description: 'Retrieves a payment link' })
  async paymentLink(@Ctx() context: Context, @Id(...ID) payment_link_id: string): Promise<PaymentLink> {
    return toPaymentLink(await findLink(context, payment_link_id));
  }

  @Query(() => [PaymentLink], { description: 'Lists payment links, newest first' })
  async paymentLinks(
    @Ctx() context: Context,
    @Args(() => PaymentLinksArgs) page: PaymentLinksArgs,
  ): Promise<PaymentLink[]> {
    return (await listLinks(context.db, linkConditions(context, page), pageSlice(page))).map(toPaymentLink);
  }

  @Query(() => PaymentLinkConnection, { description: 'Lists payment links, newest first' })
  async paymentLinksConnection(
    @Ctx() { db, ...context }: Context,
    @Args(() => PaymentLinksConnectionArgs) window: PaymentLinksConnectionArgs,
  ): Promise<PaymentLinkConnection> {
    const conditions = linkConditions({ db, ...context }, window);
    const rows = await listLinks(db, conditions, sliceOf(window));
    return toConnection(window, rows.map(toPaymentLink), () => countRecords(db, 'payment_links', conditions));
  }

  @Mutation(() => PaymentLink, { description: 'Creates a payment link' })
  @RequiresActiveMerchant()
  @Errors('not_allowed')
  async createPaymentLink(
    @Ctx() context: Context,
    @Body('payment_link', () => CreatePaymentLink, 'The new payment link') input: CreatePaymentLink,
  ): Promise<PaymentLink> {
    return toPaymentLink(await createLink(context, input));
  }

  @Mutation(() => PaymentLink, {
    description:
      'Cancels a payment link that is not being paid. A voucher, bank or Bre-B payment of the link is withdrawn',
  })
  @Errors('not_allowed')
  async cancelPaymentLink(@Ctx() context: Context, @Id(...ID) payment_link_id: string): Promise<PaymentLink> {
    const link = await findLink(context, payment_link_id);
    return toPaymentLink(await cancelLink(context, link).catch(rethrowUnavailable));
  }

  @Mutation(() => PaymentLink, { description: 'Sends an active payment link by e-mail' })
  @RequiresActiveMerchant()
  @Errors('not_allowed')
  async sendPaymentLink(
    @Ctx() context: Context,
    @Id(...ID) payment_link_id: string,
    @Body('email', () => SendPaymentLink, 'The e-mail') { email }: SendPaymentLink,
  ): Promise<PaymentLink> {
    return toPaymentLink(await queueLinkMail(context, await findLink(context, payment_link_id), email));
  }
}
