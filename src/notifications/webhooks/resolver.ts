import { timingSafeEqual } from 'node:crypto';
import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Event } from '../../events/fields';
import { toEvent } from '../../events/list';
import { clockOf } from '../../platform/database/clock';
import { ApiError } from '../../platform/errors';
import { Body, Id } from '../../schema/arguments';
import { toConnection } from '../../schema/connections/connection';
import { totalWhere } from '../../schema/connections/rows';
import { pageSlice, sliced, sliceOf } from '../../schema/connections/window';
import { Errors } from '../../schema/errors/mutationErrors';
import { listWhere } from '../../schema/list';
import type { Context } from '../../schema/operation/context';
import { changeWebhook } from './change';
import { deleteWebhook } from './delete';
import { deliveryConnection, listDeliveries } from './deliveries/list';
import { redeliver, redeliverRange } from './deliveries/redeliver';
import {
  DeliveriesArgs,
  DeliveriesConnectionArgs,
  Delivery,
  DeliveryConnection,
  Redeliver,
  Redelivered,
} from './deliveryFields';
import {
  CreateWebhook,
  RotatedSecret,
  UpdateWebhook,
  Webhook,
  WebhookConnection,
  WebhooksArgs,
  WebhooksConnectionArgs,
} from './fields';
import {
  findWebhook,
  insertWebhook,
  markVerified,
  narrowWebhook,
  rotateSecret,
  sendToWebhook,
  toWebhook,
  VERIFICATION_CODE_PATTERN,
} from './rows';

@Resolver()
export class WebhookResolver {
  @Query(() => Webhook, { description: 'Returns a webhook' })
  async webhook(@Ctx() context: Context, @Id('webhook_id', 'webhook') webhook_id: string): Promise<Webhook> {
    return toWebhook(await findWebhook(context, webhook_id));
  }

  @Query(() => [Webhook], { description: 'Webhooks, newest first' })
  async webhooks(
    @Ctx() { db, merchant_id }: Context,
    @Args(() => WebhooksArgs) page: WebhooksArgs,
  ): Promise<Webhook[]> {
    const rows = await db.webhook.findMany(sliced({ merchant_id, ...listWhere(page) }, pageSlice(page)));
    return rows.map(row => toWebhook(narrowWebhook(row)));
  }

  @Query(() => WebhookConnection, { description: 'Webhooks, newest first' })
  async webhooksConnection(
    @Ctx() { db, merchant_id }: Context,
    @Args(() => WebhooksConnectionArgs) window: WebhooksConnectionArgs,
  ): Promise<WebhookConnection> {
    const where = { merchant_id, ...listWhere(window) };
    const rows = await db.webhook.findMany(sliced(where, sliceOf(window)));
    const webhooks = rows.map(row => toWebhook(narrowWebhook(row)));
    return toConnection(window, webhooks, totalWhere(db, 'webhooks', where));
  }

  @Mutation(() => Webhook, { description: 'Creates a webhook, and sends it the event that verifies it' })
  @Errors('not_allowed')
  async createWebhook(
    @Ctx() context: Context,
    @Body('webhook', () => CreateWebhook, 'The new webhook') webhook: CreateWebhook,
  ): Promise<Webhook> {
    const { row, secret } = await insertWebhook(context, webhook);
    return { ...toWebhook(row), secret };
  }

  @Mutation(() => Webhook, { description: 'Updates a webhook. A new URL receives a verification event' })
  async updateWebhook(
    @Ctx() context: Context,
    @Id('webhook_id', 'webhook') webhook_id: string,
    @Body('webhook', () => UpdateWebhook, 'Changes') changes: UpdateWebhook,
  ): Promise<Webhook> {
    return toWebhook(await changeWebhook(context, await findWebhook(context, webhook_id), changes));
  }

  @Mutation(() => Webhook, { description: 'Deletes a webhook and its deliveries. Returns the deleted webhook' })
  async deleteWebhook(@Ctx() context: Context, @Id('webhook_id', 'webhook') webhook_id: string): Promise<Webhook> {
    const webhook = await findWebhook(context, webhook_id);
    await deleteWebhook(context, webhook);
    return toWebhook(webhook);
  }

  @Mutation(() => Boolean, { description: 'Verifies a webhook with the code of its verification event' })
  async verifyWebhook(
    @Ctx() context: Context,
    @Id('webhook_id', 'webhook') webhook_id: string,
    @Id('verification_code', { pattern: VERIFICATION_CODE_PATTERN }, 'Verification code') verification_code: string,
  ): Promise<boolean> {
    const { id, verification_code: expected } = await findWebhook(context, webhook_id);
    const [provided, required] = [Buffer.from(verification_code), Buffer.from(expected)];
    const isRight = provided.length === required.length && timingSafeEqual(provided, required);
    // A URL that was changed meanwhile has another code.
    if (!isRight || !(await markVerified(context.db, id, expected)))
      throw new ApiError('invalid_value', 'wrong_verification_code', { field: 'verification_code' });
    return true;
  }

  @Mutation(() => Event, { description: 'Sends a test event to a webhook' })
  @Errors('not_allowed')
  async testWebhook(@Ctx() context: Context, @Id('webhook_id', 'webhook') webhook_id: string): Promise<Event> {
    const webhook = await findWebhook(context, webhook_id);
    const { now } = await clockOf(context.db, context.merchant_id, null);
    return toEvent(await context.db.$transaction(tx => sendToWebhook(tx, webhook, 'test', { id: webhook.id }, now)));
  }

  @Mutation(() => RotatedSecret, { description: 'Rotates the signing secret. The old secret also signs for 24 hours' })
  async rotateWebhookSecret(
    @Ctx() context: Context,
    @Id('webhook_id', 'webhook') webhook_id: string,
  ): Promise<RotatedSecret> {
    return { secret: await rotateSecret(context, await findWebhook(context, webhook_id)) };
  }

  @Query(() => [Delivery], { description: 'Deliveries of a webhook, newest first' })
  async deliveries(
    @Ctx() context: Context,
    @Id('webhook_id', 'webhook') webhook_id: string,
    @Args(() => DeliveriesArgs) page: DeliveriesArgs,
  ): Promise<Delivery[]> {
    return listDeliveries(context, await findWebhook(context, webhook_id), page);
  }

  @Query(() => DeliveryConnection, { description: 'Deliveries of a webhook, newest first' })
  async deliveriesConnection(
    @Ctx() context: Context,
    @Id('webhook_id', 'webhook') webhook_id: string,
    @Args(() => DeliveriesConnectionArgs) window: DeliveriesConnectionArgs,
  ): Promise<DeliveryConnection> {
    return deliveryConnection(context, await findWebhook(context, webhook_id), window);
  }

  @Mutation(() => Delivery, { description: 'Redelivers an event to a webhook' })
  @Errors('not_allowed')
  async redeliver(
    @Ctx() context: Context,
    @Id('webhook_id', 'webhook') webhook_id: string,
    @Id('delivery_id', 'delivery') delivery_id: string,
  ): Promise<Delivery> {
    return redeliver(context, await findWebhook(context, webhook_id), delivery_id);
  }

  @Mutation(() => Redelivered, { description: 'Redelivers the events of a time range to a webhook' })
  @Errors('not_allowed')
  async redeliverRange(
    @Ctx() context: Context,
    @Id('webhook_id', 'webhook') webhook_id: string,
    @Body('range', () => Redeliver, 'Range of events') range: Redeliver,
  ): Promise<Redelivered> {
    return { count: await redeliverRange(context, await findWebhook(context, webhook_id), range) };
  }
}
