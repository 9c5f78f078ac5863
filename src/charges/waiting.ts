/** A payment that its payer makes later: on our page, in a store, at a bank. Prepared, given out under its id, and written down as waiting. */
import { randomBytes } from 'node:crypto';
import type { Outcome as Answer } from '../acquirer/port';
import type { Context } from '../context';
import type { CreateCustomer } from '../customers/fields';
import type { CustomerRow } from '../customers/rows';
import { ApiError } from '../errors';
import { gathered } from '../gather';
import type { Money } from '../money';
import { answerTo } from './answers';
import { finishOwn, record } from './charge';
import { accountOf, COLUMNS, LEASE_SECONDS, LIVE_CUSTOMER, refuseTakenOrder } from './prepare';
import { pageOf, type TransactionRow } from './shown';

/** For how long each can be paid, unless it says so itself. */
const HOURS = { card: 24, store: 72, bank_account: 24 } as const;
const LONGEST_DAYS = 180;

export interface Wanted {
  method: keyof typeof HOURS;
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

type Prepared = TransactionRow & { merchant_name: string };

export async function makeWaiting(
  context: Context,
  wanted: Wanted,
  customer: CustomerRow | null,
): Promise<TransactionRow> {
  const id = context.newId('transaction');
  const prepared = await prepare(context, id, wanted, customer);
  if (!prepared) {
    const refuse = () => refuseWaiting(context, wanted);
    return finishOwn(context, id, refuse, () => makeWaiting(context, wanted, customer));
  }
  const { merchant_name, ...row } = prepared;
  return record(context, row, await give(context, row, merchant_name));
}

/** A page of our own needs nobody else. */
async function give({ acquirer }: Context, row: TransactionRow, merchant: string): Promise<Answer | undefined> {
  const { id, amount, method, expires_at, description } = row;
  if (method === 'card') return OWN_PAGE;
  const order = { merchant, description: description ?? '', return_url: `${pageOf(row)}/return` };
  return answerTo(acquirer, id, () =>
    method === 'store' ? acquirer.voucher(id, amount, expires_at ?? new Date()) : acquirer.bank(id, amount, order),
  );
}

const OWN_PAGE: Answer = { approved: true, authorization: '' };

function prepare({ db, merchant_id, publicUrl }: Context, id: string, wanted: Wanted, customer: CustomerRow | null) {
  const { method, amount, iva, description, order_id, metadata, redirect_url, send_email = false, due } = wanted;
  return prepareTogether(db, {
    id,
    merchant_id,
    customer_id: customer?.id ?? null,
    method,
    amount: `${amount}`,
    iva,
    description,
    order_id: order_id || null,
    metadata,
    customer: wanted.customer,
    account: accountOf(merchant_id, customer),
    redirect_url,
    send_email,
    page_key: randomBytes(16).toString('hex'),
    page_origin: publicUrl,
    due,
    hours: HOURS[method],
  });
}

/** Payments of requests that come together share one statement. One whose order_id is taken, or that is due too soon or too late, leaves nothing behind. */
const prepareTogether = gathered(
  (db, payments: readonly { id: string; [column: string]: unknown }[]) => db.$queryRaw<Prepared[]>`
    with input as (
      select * from jsonb_to_recordset(${JSON.stringify(payments)}::jsonb) as i (id text, merchant_id text, customer_id text, method text,
        amount bigint, iva text, description text, order_id text, metadata jsonb, customer jsonb, account text, redirect_url text,
        send_email boolean, page_key text, page_origin text, due timestamptz, hours integer)
    ), dated as (
      select input.*, clock, now() + make_interval(secs => clock) as at from input, clock_offset_of(merchant_id, customer_id) as clock
    ), new as (
      insert into transactions (id, merchant_id, customer_id, creation_date, operation_date, transaction_type, operation_type, method,
        status, progress, amount, iva, description, order_id, customer, metadata, account, redirect_url, send_email, page_key, page_origin,
        expires_at, cost_rate, cost_fixed, clock_offset, lease_until)
      select input.id, merchant_id, customer_id, at, at, 'charge', 'in', method, 'in_progress', 'prepared', amount, iva, description,
        order_id, customer, metadata, account, redirect_url, send_email, page_key, page_origin,
        coalesce(due, at + make_interval(hours => hours)), cost_rate, cost_fixed, clock, now() + make_interval(secs => ${LEASE_SECONDS})
      from dated input join merchants on merchants.id = merchant_id
      where ${LIVE_CUSTOMER} and (due is null or due between at and at + make_interval(hours => ${LONGEST_DAYS * 24}))
      order by merchant_id, order_id, input.id
      on conflict do nothing returning ${COLUMNS}
    )
    select new.*, merchants.name as merchant_name from new join merchants on merchants.id = new.merchant_id`,
  ({ id }) => id,
);

/** Why nothing was prepared. */
async function refuseWaiting(context: Context, { order_id, due }: Wanted): Promise<never> {
  await refuseTakenOrder(context, order_id);
  if (due) throw new ApiError('invalid_value', `due_date has passed, or is more than ${LONGEST_DAYS} days ahead`);
  throw new ApiError('not_found');
}
