import { Prisma } from '../../../../prisma/generated/client';
import type { Environment } from '../../../../prisma/generated/enums';
import type { MerchantModel } from '../../../../prisma/generated/models';
import { merchantIsActive } from '../../../accounts/merchants/rows';
import type { EventRecord } from '../../../events/newEvent';
import { batched, batchedWrites } from '../../../platform/database/batch';
import { type Database, violates } from '../../../platform/database/connection';
import type { OutboxRecord } from '../../../platform/database/outbox';
import {
  type Dependent,
  idIn,
  idsOf,
  insertDependents,
  insertFrom,
  recordsOf,
  statement,
} from '../../../platform/database/rows';
import type { Context } from '../../../schema/operation/context';
import { customerIsActive } from '../../customers/rows';
import { chargeEvent } from '../card/charge';
import { LINK_IS_CLOSED, NEW_LEASE, NO_LINK_PLACE, TRANSACTION_COLUMNS, type TransactionRow } from '../rows';

export interface PaymentContext {
  id: string;
  /** Now, by the clock of the merchant or customer, and how many seconds that clock is ahead. */
  at: Date;
  clock_offset: number;
  merchant_name: string;
  is_suspended: boolean;
  cost_rate: number;
  cost_fixed: bigint;
  max_installments: number;
  /** Whether an earlier run of this request has created the payment. */
  already_exists: boolean;
  is_order_id_taken: boolean;
}

export const loadContext = batched(
  (db, payments: readonly Pick<TransactionRow, 'id' | 'merchant_id' | 'customer_id' | 'order_id'>[]) =>
    db.$queryRaw<PaymentContext[]>`
      select payment.id, now() + make_interval(secs => clock) as at, clock as clock_offset,
        merchants.name as merchant_name, merchants.status = 'suspended' as is_suspended, merchants.cost_rate, merchants.cost_fixed, merchants.max_installments,
        exists (select from transactions t where t.id = payment.id) as already_exists,
        exists (select from transactions t where t.merchant_id = payment.merchant_id and t.order_id = payment.order_id
          and t.holds_order_id) as is_order_id_taken
      from ${recordsOf('transactions', payments)} as payment join merchants on merchants.id = payment.merchant_id,
        clock_offset_of(payment.merchant_id, payment.customer_id) as clock`,
  ({ id }) => id,
);

type PaymentInEnvironment = TransactionRow & Pick<Context, 'environment'>;

/** The parts of a statement that inserts payments with their events and outbox rows. */
export const insertParts = (payments: readonly PaymentInEnvironment[], condition: Prisma.Sql) => ({
  inserted_payment: insertFrom(
    'transactions',
    'payment',
    Prisma.sql`from ${recordsOf('transactions', payments)} as payment
      where ${customerIsActive('payment')} and ${condition}
      order by merchant_id, order_id, id on conflict do nothing returning id`,
  ),
  payment_events: insertDependents('events', payments.map(createdEvent), idsOf('inserted_payment')),
  payment_outbox: insertDependents('outbox', payments.flatMap(outboxRows), idsOf('inserted_payment')),
});

export const insertBatch = batchedWrites(
  (db, payments: readonly PaymentInEnvironment[]) =>
    db.$queryRaw<{ id: string }[]>(statement(insertParts(payments, Prisma.sql`true`), idsOf('inserted_payment'))),
  ({ id }) => id,
  ({ id }) => id,
);

/** Returns no rows if the payment link has no place left or was closed. */
const ifPlaceLeft = <T>(rows: Promise<T[]>): Promise<T[]> =>
  rows.catch(error => {
    if (violates(error, NO_LINK_PLACE)) return [];
    throw error;
  });

/** Returns undefined if the payment link is used, cancelled or full. Locks its row. */
export async function insertLinkedPayment(
  db: Database,
  payment: PaymentInEnvironment,
): Promise<{ id: string } | undefined> {
  const parts = {
    unused_link: Prisma.sql`
      select id from payment_links where id = ${payment.payment_link_id} and status = 'active' and transaction_id is null
      for no key update`,
    ...insertParts([payment], Prisma.sql`exists (select from unused_link)`),
    used_link: Prisma.sql`
      update payment_links set transaction_id = inserted_payment.id from inserted_payment
      where payment_links.id = ${payment.payment_link_id}`,
  };
  const [inserted] = await ifPlaceLeft(db.$queryRaw<{ id: string }[]>(statement(parts, idsOf('inserted_payment'))));
  return inserted;
}

const createdEvent = (payment: TransactionRow): Dependent<EventRecord> => {
  const { id, merchant_id, creation_date } = payment;
  return { cause: id, row: { ...chargeEvent('charge.created', payment), merchant_id, object_id: id, creation_date } };
};

const outboxRows = ({ id, send_email, environment }: PaymentInEnvironment): Dependent<OutboxRecord>[] =>
  (send_email ? (['expiry', 'payment_mail'] as const) : (['expiry'] as const)).map(kind => ({
    cause: id,
    row: { kind, object_id: id, environment },
  }));

/** A payer at the payment page. */
export interface PagePayer {
  address: string;
  /** Only a browser that runs scripts has one. */
  device_session_id: string | null;
  /** The chosen number of installments; ignored where there is no choice. */
  installments: number;
}

/** Returns no row if the payment has expired, is settled, another attempt is running, or its link has no place left. */
export function startAttempt(
  { db }: Pick<Context, 'db'>,
  { id, declines }: Pick<TransactionRow, 'id' | 'declines'>,
  attemptsShown: number,
  cardSummary: object,
  { address, device_session_id, installments }: PagePayer,
): Promise<TransactionRow[]> {
  const card = JSON.stringify({ ...cardSummary, id: undefined, address: null, allows_charges: true });
  return ifPlaceLeft(db.$queryRaw<TransactionRow[]>`
    with clock as (
      select offset_seconds, now() + make_interval(secs => offset_seconds) as clock_time
      from transactions, clock_offset_of(merchant_id, customer_id) as offset_seconds where id = ${id}
    )
    update transactions set status = 'in_progress', progress = 'paying', attempts = attempts + 1, operation_date = clock_time,
      clock_offset = offset_seconds, declines = ${declines}, payer_address = ${address},
      device_session_id = ${device_session_id},
      installments = case when max_installments is null then installments else nullif(${installments}::integer, 1) end,
      lease_until = ${NEW_LEASE},
      card = ${card}::jsonb || jsonb_build_object('creation_date', clock_time, 'allows_payouts', coalesce(${card}::jsonb ->> 'type' = 'debit', false))
    from clock where id = ${id} and method = 'card' and progress = 'pending' and attempts = ${attemptsShown} and expires_at > clock_time
      and ${merchantIsActive('transactions')}
    returning ${TRANSACTION_COLUMNS}`);
}

/** A payment with what its page shows beside it. */
export type Payment = TransactionRow & {
  merchant_name: string;
  appearance: Pick<MerchantModel, 'website' | 'support_email' | 'support_phone' | 'logo' | 'colour'>;
  is_suspended: boolean;
  environment: Environment;
  now: Date;
  /** The payment link of which this is a payment. */
  link: { page_key: string; methods: string[]; is_closed: boolean } | null;
};

const COLUMNS = Prisma.raw(
  Object.values(Prisma.TransactionScalarFieldEnum)
    .map(name => `t."${name}"`)
    .join(', '),
);

export const loadByPageKey = batched(
  async (db, keys: readonly string[]) => {
    const payments = await db.$queryRaw<Payment[]>`
      select ${COLUMNS}, merchants.name as merchant_name, merchants.status = 'suspended' as is_suspended,
        jsonb_build_object('website', website, 'support_email', support_email, 'support_phone', support_phone, 'logo', logo,
          'colour', colour) as appearance,
        merchants.environment::text as environment,
        (select jsonb_build_object('page_key', page_key, 'methods', methods, 'is_closed', ${LINK_IS_CLOSED})
          from payment_links where payment_links.id = t.payment_link_id) as link,
        now() + make_interval(secs => clock_offset_of(t.merchant_id, t.customer_id)) as now
      from transactions t join merchants on merchants.id = t.merchant_id where page_key ${idIn(keys)}`;
    return payments.map(payment => ({ id: payment.page_key ?? '', payment }));
  },
  (key: string) => key,
);

/** Whether the period of a payment is unpaid, and no other charge of it is open. Locks its subscription. */
export async function lockUnpaidPeriod(
  tx: Prisma.TransactionClient,
  { id, subscription_id, period }: Pick<TransactionRow, 'id' | 'subscription_id' | 'period'>,
): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`
    select id from (select * from subscriptions where id = ${subscription_id} for update) as s
    where s.current_period_number = ${period} and s.status in ('past_due', 'unpaid')
      and coalesce(s.open ->> 'transaction_id', ${id}) = ${id}`;
  return found.length > 0;
}
