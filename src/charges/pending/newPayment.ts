/**
 * A pending payment in the database: loads its context, builds its row, and inserts it with its event in one statement.
 */
import { Prisma } from '../../../prisma/generated/client';
import type { Context } from '../../context';
import type { CreateCustomer } from '../../customers/fields';
import type { CustomerRow } from '../../customers/rows';
import { batched } from '../../database/batch';
import { ApiError } from '../../platform/errors';
import type { Money } from '../../platform/money';
import { chargeEvent } from '../card/charge';
import { CUSTOMER_IS_ACTIVE, creditedAccount } from '../card/prepare';
import type { TransactionRow } from '../view';

/** How long each method can be paid unless the request has a due_date. */
const DEFAULT_EXPIRY_HOURS = { card: 24, store: 72, bank_account: 24 } as const;
const HOUR_MS = 3_600_000;
const MAX_DUE_DAYS = 180;

export interface NewPayment {
  method: keyof typeof DEFAULT_EXPIRY_HOURS;
  amount: Money;
  iva: string;
  description: string;
  order_id?: string;
  metadata?: Record<string, string>;
  customer?: CreateCustomer;
  redirect_url?: string;
  send_email?: boolean;
  due?: Date;
}

interface PaymentContext {
  id: string;
  /** Now, by the clock of the merchant or customer, and how many seconds that clock is ahead. */
  at: Date;
  clock_offset: number;
  merchant_name: string;
  cost_rate: number;
  cost_fixed: bigint;
  /** Whether an earlier run of this request has created the payment. */
  already_exists: boolean;
  is_order_id_taken: boolean;
}

export const loadContext = batched(
  (db, payments: readonly { id: string; [column: string]: unknown }[]) => db.$queryRaw<PaymentContext[]>`
    select payment.id, now() + make_interval(secs => clock) as at, clock as clock_offset, merchants.name as merchant_name, cost_rate,
      cost_fixed, exists (select from transactions t where t.id = payment.id) as already_exists,
      exists (select from transactions t where t.merchant_id = payment.merchant_id and t.order_id = payment.order_id
        and t.holds_order_id) as is_order_id_taken
    from jsonb_to_recordset(${JSON.stringify(payments)}::jsonb) as payment (id text, merchant_id text, customer_id text, order_id text)
      join merchants on merchants.id = payment.merchant_id, clock_offset_of(payment.merchant_id, payment.customer_id) as clock`,
  ({ id }) => id,
);

const EMPTY_ROW = Object.fromEntries(
  Object.values(Prisma.TransactionScalarFieldEnum).map(name => [name, null]),
) as unknown as TransactionRow;

export function newPaymentRow(
  { merchant_id, publicUrl, newId }: Context,
  id: string,
  { method, due, ...payment }: NewPayment,
  customer: CustomerRow | null,
  { at, clock_offset, cost_rate, cost_fixed }: PaymentContext,
): TransactionRow {
  const { amount, iva, description, order_id, metadata = null, redirect_url = null, send_email = false } = payment;
  if (due && (due < at || due.getTime() > at.getTime() + MAX_DUE_DAYS * 24 * HOUR_MS))
    throw new ApiError('invalid_value', {
      field: 'due_date',
      problem: `has passed, or is more than ${MAX_DUE_DAYS} days ahead`,
    });
  return {
    ...EMPTY_ROW,
    id,
    merchant_id,
    customer_id: customer?.id ?? null,
    creation_date: at,
    operation_date: at,
    transaction_type: 'charge',
    operation_type: 'in',
    method,
    status: method === 'store' ? 'in_progress' : 'charge_pending',
    progress: 'pending',
    conciliated: false,
    amount,
    iva,
    description,
    order_id: order_id || null,
    metadata,
    customer: (payment.customer ?? null) as TransactionRow['customer'],
    account: creditedAccount(merchant_id, customer),
    redirect_url,
    send_email,
    page_key: newId('page'),
    page_origin: publicUrl,
    expires_at: due ?? new Date(at.getTime() + DEFAULT_EXPIRY_HOURS[method] * HOUR_MS),
    cost_rate,
    cost_fixed,
    clock_offset,
  };
}

/**
 * Payments of simultaneous requests share one statement. False if the order_id is taken or the customer deleted by now.
 */
export async function insertPayment(db: Context['db'], row: TransactionRow): Promise<boolean> {
  const { id: event_id, type: event_type, object } = chargeEvent('charge.created', row);
  const outbox = row.send_email ? ['expiry', 'payment_mail'] : ['expiry'];
  const [amount, cost_fixed] = [`${row.amount}`, `${row.cost_fixed}`];
  return (await insertBatch(db, { ...row, amount, cost_fixed, event_id, event_type, object, outbox })) !== undefined;
}

const insertBatch = batched(
  (db, rows: readonly { id: string; [column: string]: unknown }[]) => db.$queryRaw<{ id: string }[]>`
    with charge_input as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as payment (id text, merchant_id text, customer_id text,
        creation_date timestamptz, method text, status text, amount bigint, iva text, description text, order_id text, metadata jsonb,
        customer jsonb, account text, redirect_url text, send_email boolean, page_key text, page_origin text, issued jsonb,
        expires_at timestamptz, cost_rate integer, cost_fixed bigint, clock_offset integer, event_id text, event_type text, object jsonb,
        outbox jsonb)
    ), inserted_charge as (
      insert into transactions (id, merchant_id, customer_id, creation_date, operation_date, transaction_type, operation_type, method,
        status, progress, amount, iva, description, order_id, metadata, customer, account, redirect_url, send_email, page_key, page_origin,
        issued, expires_at, cost_rate, cost_fixed, clock_offset)
      select id, merchant_id, customer_id, creation_date, creation_date, 'charge', 'in', method, status, 'pending', amount, iva,
        description, order_id, metadata, customer, account, redirect_url, send_email, page_key, page_origin, issued, expires_at, cost_rate,
        cost_fixed, clock_offset
      from charge_input where ${CUSTOMER_IS_ACTIVE} order by merchant_id, order_id, id
      on conflict do nothing returning id
    ), inserted_event as (
      insert into events (id, merchant_id, type, object_id, object, creation_date)
      select event_id, merchant_id, event_type, id, object, creation_date from inserted_charge join charge_input using (id)
    ), inserted_outbox as (
      insert into outbox (kind, object_id)
      select kind, id from inserted_charge join charge_input using (id), jsonb_array_elements_text(outbox) as kind
    )
    select id from inserted_charge`,
  ({ id }) => id,
);
