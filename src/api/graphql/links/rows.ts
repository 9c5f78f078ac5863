/** Nested lists of customers, plans, cards, subscriptions and charges. */
import { Prisma } from '../../../../prisma/generated/client';
import type { Subscription } from '../../../billing/subscriptions/fields';
import {
  parseRows,
  SUBSCRIPTION_COLUMNS,
  SUBSCRIPTION_JOINS,
  type SubscriptionRow,
} from '../../../billing/subscriptions/rows';
import { toSubscription } from '../../../billing/subscriptions/view';
import type { Event } from '../../../events/fields';
import { toPlacedEvent } from '../../../events/list';
import { LAST_WRITTEN_FIRST, type OutgoingEvent, PLACED_EVENT_COLUMNS, type PlacedRow } from '../../../events/rows';
import { attemptsOf } from '../../../notifications/webhooks/deliveries/rows';
import {
  BY_SEQUENCE,
  type DeliveryRow,
  type NumberedDelivery,
  toDelivery,
} from '../../../notifications/webhooks/deliveries/view';
import type { Card } from '../../../payments/cards/fields';
import { toCard } from '../../../payments/cards/resolver';
import { type CardRow, cardColumns } from '../../../payments/cards/rows';
import type { Transaction } from '../../../payments/charges/fields';
import { toTransactions } from '../../../payments/charges/list';
import { CHARGE_BYTES, TRANSACTION_COLUMNS, type TransactionRow } from '../../../payments/charges/rows';
import { type BoundedRow, rejectCut } from '../../../schema/boundedList';
import { boundedRows } from '../../../schema/rows';
import { nested } from './nested/nested';

interface NestedRow extends DeliveryRow, BoundedRow {
  sequence: bigint;
  url: string;
  event: Omit<OutgoingEvent, 'object' | 'creation_date'>;
  object: string;
  event_date: Date;
}

/** Approximate bytes of a delivery without its event, and of one attempt. */
const [FRAME_BYTES, ATTEMPT_BYTES] = [500, 500];

export const deliveriesOfWebhook = nested<NestedRow, NumberedDelivery>(
  {
    columns: Prisma.sql`d.id, d.event_id, d.creation_date, d.next_at, d.status, d.sequence, w.merchant_id, w.url,
      ${attemptsOf('d')} as log, jsonb_build_object('id', e.id, 'type', e.type, 'object_id', e.object_id) as event,
      e.object::text as object, e.creation_date as event_date,
      octet_length(e.object::text) + ${FRAME_BYTES} + ${ATTEMPT_BYTES} * d.attempts as bytes`,
    table: 'deliveries',
    alias: 'd',
    joins: Prisma.raw('join webhooks w on w.id = d.webhook_id join events e on e.id = d.event_id'),
    owner: 'webhook_id',
    condition: 'true',
    order: BY_SEQUENCE,
    bound: boundedRows,
  },
  rows => {
    rejectCut(rows);
    return rows.map(row => ({
      ...toDelivery(row, row, { ...row.event, object: row.object, creation_date: row.event_date }),
      sequence: row.sequence,
    }));
  },
);

const subscriptionsBy = (owner: string) =>
  nested<SubscriptionRow & BoundedRow, Subscription>(
    {
      columns: Prisma.sql`${SUBSCRIPTION_COLUMNS}, coalesce(octet_length(s.metadata::text), 0) as bytes`,
      table: 'subscriptions',
      alias: 's',
      joins: SUBSCRIPTION_JOINS,
      owner,
      condition: "s.status <> 'new'",
      bound: boundedRows,
    },
    rows => {
      rejectCut(rows);
      return parseRows(rows).map(toSubscription);
    },
  );

const chargesBy = (owner: string) =>
  nested<TransactionRow & BoundedRow, Transaction>(
    {
      columns: Prisma.sql`${TRANSACTION_COLUMNS}, coalesce(octet_length(metadata::text), 0) + ${CHARGE_BYTES} as bytes`,
      table: 'transactions',
      alias: 't',
      owner,
      condition: "t.transaction_type = 'charge'",
      bound: boundedRows,
    },
    (rows, db) => {
      rejectCut(rows);
      return toTransactions(db, rows);
    },
  );

export const subscriptionsOfCustomer = subscriptionsBy('customer_id');
export const subscriptionsOfPlan = subscriptionsBy('plan_id');
export const subscriptionsOfCard = subscriptionsBy('card_id');
export const chargesOfCustomer = chargesBy('customer_id');
export const chargesOfSubscription = chargesBy('subscription_id');
export const cardsOfCustomer = nested<CardRow, Card>(
  {
    columns: Prisma.raw(cardColumns.map(column => `k."${column}"`).join(', ')),
    table: 'cards',
    alias: 'k',
    owner: 'customer_id',
    condition: "k.status = 'active'",
  },
  rows => rows.map(toCard),
);

export const eventsOfObject = nested<PlacedRow & BoundedRow, Event>(
  {
    columns: Prisma.sql`${PLACED_EVENT_COLUMNS}, octet_length(object::text) as bytes`,
    table: 'events',
    alias: 'e',
    owner: 'object_id',
    condition: 'true',
    order: LAST_WRITTEN_FIRST,
    bound: boundedRows,
  },
  rows => {
    rejectCut(rows);
    return rows.map(toPlacedEvent);
  },
);
