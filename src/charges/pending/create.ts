/**
 * A payment that its payer makes later: on our page, in a store, at a bank. What the payer pays with is given out first, under the
 * payment's id, and then everything is written at once: no money moves before, and what nobody was told of nobody can pay.
 */
import { type Issued, NoAnswerError } from '../../acquirer/port';
import { findOrReverse } from '../../acquirer/resolveOutcome';
import type { Context } from '../../context';
import type { CustomerRow } from '../../customers/rows';
import { ApiError } from '../../platform/errors';
import { paymentPageUrl, type TransactionRow } from '../view';
import { insertPayment, loadContext, type NewPayment, newPaymentRow } from './newPayment';

/** How often a request that is repeated may have ended without an answer before. */
const MAX_RUNS = 20;

export async function createPendingPayment(
  context: Context,
  wanted: NewPayment,
  customer: CustomerRow | null,
  runs = MAX_RUNS,
): Promise<TransactionRow> {
  const { db, merchant_id, acquirer } = context;
  const id = context.newId('transaction');
  const asked = { id, merchant_id, customer_id: customer?.id ?? null, order_id: wanted.order_id || null };
  const seen = await loadContext(db, asked);
  if (!seen) throw new ApiError('not_found');
  if (seen.is_made) return db.transaction.findUniqueOrThrow({ where: { id } });
  const row = newPaymentRow(context, id, wanted, customer, seen);
  if (seen.is_taken) throw new ApiError('order_id_exists');
  const issued = await issuePayment(context, row, seen.merchant_name);
  // An earlier run of this request ended without an answer, and undid it: it starts anew.
  if (issued === 'undone' && runs > 0) return createPendingPayment(context, wanted, customer, runs - 1);
  if (issued === 'undone') throw new ApiError('unavailable');
  const made: TransactionRow = { ...row, issued: issued ? { ...issued } : null };
  if (await insertPayment(db, made)) return made;
  const own = await db.transaction.findUnique({ where: { id, merchant_id } });
  if (own) return own;
  if (row.method !== 'card') await acquirer.withdraw(id);
  throw new ApiError((await loadContext(db, asked))?.is_taken ? 'order_id_exists' : 'not_found');
}

/** What the payer pays with. A page of our own needs nobody else. Where no answer comes it is undone, so that it never exists. */
async function issuePayment(
  { acquirer }: Context,
  row: TransactionRow,
  merchant: string,
): Promise<Issued | 'undone' | undefined> {
  const { id, amount, method, expires_at, description } = row;
  if (method === 'card') return undefined;
  const order = { merchant, description: description ?? '', return_url: `${paymentPageUrl(row)}/return` };
  const ask = () =>
    method === 'store' ? acquirer.voucher(id, amount, expires_at ?? new Date()) : acquirer.bank(id, amount, order);
  const answer = await ask().catch(async error => {
    const truth = error instanceof NoAnswerError && error.sent ? await findOrReverse(acquirer, id) : undefined;
    if (!truth) throw error;
    return truth;
  });
  if (answer.approved && answer.issued) return answer.issued;
  if (!answer.approved && answer.kind === 'not_allowed' && !(await findOrReverse(acquirer, id))) return 'undone';
  throw new ApiError(answer.approved ? 'unavailable' : answer.kind);
}
