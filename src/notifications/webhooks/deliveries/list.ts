/** Lists the deliveries of a webhook. */
import { readFitting, readPage } from '../../../schema/boundedList';
import { toConnection } from '../../../schema/connections/connection';
import { countRecords } from '../../../schema/connections/rows';
import { pageSlice, sliceOf } from '../../../schema/connections/window';
import type { Context } from '../../../schema/operation/context';
import type { DeliveriesArgs, DeliveriesConnectionArgs, Delivery, DeliveryConnection } from '../deliveryFields';
import type { WebhookRow } from '../rows';
import { boundedList, conditionsOf } from './rows';
import { BY_SEQUENCE } from './view';

export async function listDeliveries(context: Context, webhook: WebhookRow, page: DeliveriesArgs): Promise<Delivery[]> {
  const slice = { ...pageSlice(page), order: BY_SEQUENCE };
  return readPage(context, boundedList(context, webhook, conditionsOf(webhook, page), slice));
}

export async function deliveryConnection(
  context: Context,
  webhook: WebhookRow,
  window: DeliveriesConnectionArgs,
): Promise<DeliveryConnection> {
  const conditions = conditionsOf(webhook, window);
  const list = boundedList(context, webhook, conditions, sliceOf(window, BY_SEQUENCE));
  const { records, isCut } = await readFitting(context, list);
  const readTotal = () => countRecords(context.db, 'deliveries', conditions);
  return toConnection(window, records, readTotal, { isCut, order: BY_SEQUENCE });
}
