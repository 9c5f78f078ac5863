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
import { LAST_WRITTEN_FIRST, PLACED_EVENT_COLUMNS, type PlacedRow, toPlacedEvent } from '../../../events/list';
import type { Card } from '../../../payments/cards/fields';
import { toCard } from '../../../payments/cards/resolver';
import { type CardRow, cardColumns } from '../../../payments/cards/rows';
import type { Transaction } from '../../../payments/charges/fields';
import { CHARGE_BYTES, toTransactions } from '../../../payments/charges/list';
import { TRANSACTION_COLUMNS, type TransactionRow } from '../../../payments/charges/rows';
import { type BoundedRow, boundedRows, rejectCut } from '../../../schema/boundedList';
import { nested } from './nested';

const subscriptionsBy = (owner: string) =>
  nested<SubscriptionRow, Subscription>(
    {
      columns: SUBSCRIPTION_COLUMNS,
      table: 'subscriptions',
      alias: 's',
      joins: SUBSCRIPTION_JOINS,
      owner,
      condition: "s.status <> 'new'",
    },
    rows => parseRows(rows).map(toSubscription),
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
