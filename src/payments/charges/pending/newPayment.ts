/** Builds the row of a pending payment and inserts it with its event and outbox rows in one SQL statement. */
import { Prisma } from '../../../../prisma/generated/client';
import type { EventRecord } from '../../../events/newEvent';
import { batched, batchedWrites } from '../../../platform/database/batch';
import type { OutboxRecord } from '../../../platform/database/outbox';
import {
  type Dependent,
  idsOf,
  insertDependents,
  insertFrom,
  recordsOf,
  statement,
} from '../../../platform/database/rows';
import { ApiError } from '../../../platform/errors';
import type { Context } from '../../../schema/operation/context';
import { type CustomerRow, customerIsActive } from '../../customers/rows';
import { chargeEvent } from '../card/charge';
import { creditedAccount } from '../card/prepare';
import { newTransaction, payableColumns } from '../newTransaction';
import type { PaymentPlan } from '../paymentPlan';
import type { Payable } from '../requests';
import type { TransactionRow } from '../rows';

/** Default payment period by method; a due_date overrides it. */
const DEFAULT_EXPIRY_HOURS = { card: 24, store: 72, bank_account: 24 } as const;
const HOUR_MS = 3_600_000;
const MAX_DUE_DAYS = 180;

export interface NewPayment extends Omit<Payable, 'currency' | 'redirect_url'> {
  method: keyof typeof DEFAULT_EXPIRY_HOURS;
  redirect_url?: string | undefined;
  send_email?: boolean;
  payment_plan?: PaymentPlan | undefined;
  due?: Date | undefined;
}

interface PaymentContext {
  id: string;
  /** The current time by the clock of the merchant or customer, and its offset in seconds. */
  at: Date;
  clock_offset: number;
  merchant_name: string;
  is_suspended: boolean;
  cost_rate: number;
  cost_fixed: bigint;
  /** Whether an earlier run of this request created the payment. */
  already_exists: boolean;
  is_order_id_taken: boolean;
}

export const loadContext = batched(
  (db, payments: readonly Pick<TransactionRow, 'id' | 'merchant_id' | 'customer_id' | 'order_id'>[]) =>
    db.$queryRaw<PaymentContext[]>`
      select payment.id, now() + make_interval(secs => clock) as at, clock as clock_offset,
        merchants.name as merchant_name, merchants.status = 'suspended' as is_suspended, merchants.cost_rate, merchants.cost_fixed,
        exists (select from transactions t where t.id = payment.id) as already_exists,
        exists (select from transactions t where t.merchant_id = payment.merchant_id and t.order_id = payment.order_id
          and t.holds_order_id) as is_order_id_taken
      from ${recordsOf('transactions', payments)} as payment join merchants on merchants.id = payment.merchant_id,
        clock_offset_of(payment.merchant_id, payment.customer_id) as clock`,
  ({ id }) => id,
);

export function newPaymentRow(
  { merchant_id, publicUrl, newId }: Pick<Context, 'merchant_id' | 'publicUrl' | 'newId'>,
  id: string,
  { method, due, ...payment }: NewPayment,
  customer: CustomerRow | null,
  { at, clock_offset, cost_rate, cost_fixed }: PaymentContext,
): TransactionRow {
  if (due && (due < at || due.getTime() > at.getTime() + MAX_DUE_DAYS * 24 * HOUR_MS))
    throw new ApiError('invalid_value', 'not_within_days', { field: 'due_date', max: MAX_DUE_DAYS });
  return newTransaction({
    ...payableColumns(payment),
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
    account: creditedAccount(merchant_id, customer),
    redirect_url: payment.redirect_url ?? null,
    send_email: payment.send_email ?? false,
    installments: payment.payment_plan?.payments ?? null,
    page_key: newId('page'),
    page_origin: publicUrl,
    expires_at: due ?? new Date(at.getTime() + DEFAULT_EXPIRY_HOURS[method] * HOUR_MS),
    cost_rate,
    cost_fixed,
    clock_offset,
  });
}

/** Inserts concurrent payments in one batch. Returns false if the order_id is taken or the customer is deleted. */
export const insertPayment = async (
  { db, environment }: Pick<Context, 'db' | 'environment'>,
  row: TransactionRow,
): Promise<boolean> => (await insertBatch(db, { ...row, environment })) !== undefined;

type PaymentInEnvironment = TransactionRow & Pick<Context, 'environment'>;

const insertBatch = batchedWrites(
  (db, payments: readonly PaymentInEnvironment[]) =>
    db.$queryRaw<{ id: string }[]>(
      statement(
        {
          inserted_payment: insertFrom(
            'transactions',
            'payment',
            Prisma.sql`from ${recordsOf('transactions', payments)} as payment
              where ${customerIsActive('payment')}
              order by merchant_id, order_id, id on conflict do nothing returning id`,
          ),
          payment_events: insertDependents('events', payments.map(createdEvent), idsOf('inserted_payment')),
          payment_outbox: insertDependents('outbox', payments.flatMap(outboxRows), idsOf('inserted_payment')),
        },
        idsOf('inserted_payment'),
      ),
    ),
  ({ id }) => id,
  ({ id }) => id,
);

const createdEvent = (payment: TransactionRow): Dependent<EventRecord> => {
  const { id, merchant_id, creation_date } = payment;
  return { cause: id, row: { ...chargeEvent('charge.created', payment), merchant_id, object_id: id, creation_date } };
};

const outboxRows = ({ id, send_email, environment }: PaymentInEnvironment): Dependent<OutboxRecord>[] =>
  (send_email ? (['expiry', 'payment_mail'] as const) : (['expiry'] as const)).map(kind => ({
    cause: id,
    row: { kind, object_id: id, environment },
  }));
