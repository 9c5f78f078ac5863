/**
 * The payer's use of a link: each form calls the operation that a merchant would call. The insert of the payment, card or
 * subscription locks the link and expects it to be unused, so a link is used once, even if processes crash or repeat.
 */
import { NoAnswerError } from '../../gateway/acquirer/port';
import type { CardDetails } from '../../payments/cardDetails/details';
import { sealCard } from '../../payments/cardDetails/sealCard';
import { saveCardFromToken } from '../../payments/cards/save';
import { createPendingPayment } from '../../payments/charges/pending/create';
import { acceptsCards, countDeclines, countedAttempts } from '../../payments/charges/pending/payByCard';
import { findTransactions, NO_LINK_PLACE, reloadTransaction, type TransactionRow } from '../../payments/charges/rows';
import type { CreateCustomer } from '../../payments/customers/fields';
import { findCustomer } from '../../payments/customers/rows';
import { type ChargeMethodName, METHODS } from '../../payments/methods/methods';
import { insertToken } from '../../payments/tokens/rows';
import { violates } from '../../platform/database/connection';
import { ApiError, type ErrorKind } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { openLink } from '../payerPages/rows';
import { subscribe } from '../subscriptions/creation/subscribe';
import { endPendingPayment } from './cancel';
import { hoursOfPlace } from './places';
import { endAttempt, findLink, type PaymentLinkRow, startAttempt } from './rows';

const HOUR_MS = 3_600_000;

/** Outcomes that the page shows above its form, beside the declines of a card. */
const SHOWN: readonly ErrorKind[] = ['unavailable', 'card_exists'];

/**
 * Runs `use` unless another attempt is running, or was made since the page was rendered. A decline is stored for the next
 * page; after other errors than an outage, the form was not an attempt of the payer.
 */
async function attempt(
  { db }: Context,
  { id }: PaymentLinkRow,
  attemptsShown: number,
  use: () => Promise<unknown>,
  consent?: string,
): Promise<void> {
  if (!(await startAttempt(db, id, attemptsShown, consent))) return;
  let decline: ApiError | undefined;
  try {
    await use();
  } catch (thrown) {
    const error = thrown instanceof NoAnswerError ? new ApiError('unavailable') : thrown;
    if (!(error instanceof ApiError && (error.category === 'gateway' || SHOWN.includes(error.kind)))) throw error;
    decline = error;
  } finally {
    await endAttempt(db, id, attemptsShown + 1, decline?.error_code ?? null);
  }
}

/**
 * Creates the payment that the payer makes on its own page, in a store or at a bank. A payment by another method that was
 * chosen before is withdrawn.
 */
export async function choosePayment(
  context: Context,
  link: PaymentLinkRow,
  method: ChargeMethodName,
  payer: CreateCustomer | undefined,
): Promise<void> {
  const { db } = context;
  const chosen = link.transaction_id === null ? undefined : await reloadTransaction(db, link.transaction_id);
  if (chosen?.method === method) return;
  if (chosen) await endPendingPayment(context, link);
  const current = chosen ? await findLink(context, link.id) : link;
  const { amount, now, expires_at, iva, order_id, redirect_url, customer_id } = current;
  if (amount === null) throw new Error(`payment link ${link.id} has no amount`);
  await attempt(context, current, current.attempts, async () => {
    const customer = customer_id === null ? null : await findCustomer(context, customer_id);
    const hours = await hoursOfPlace(context, current, method);
    const due = Math.min(now.getTime() + hours * HOUR_MS, expires_at.getTime());
    const payment = {
      ...{ method, amount, description: current.description ?? '', due: new Date(due), payment_link_id: link.id },
      parent_link_id: link.parent_id,
      ...(iva !== null && { iva }),
      ...(order_id !== null && { order_id }),
      ...(payer && { customer: payer }),
      // A voucher has no page from which the payer could return.
      redirect_url: METHODS[method].issue?.instructions === 'references' ? undefined : (redirect_url ?? undefined),
      declines: method === 'card' && current.attempts > 0 ? await earlierDeclines(context, link) : 0,
    };
    await createPendingPayment(context, payment, customer);
  });
}

/** Choosing the card again does not allow more declined cards. */
async function earlierDeclines({ db }: Context, { id }: PaymentLinkRow): Promise<number> {
  const payments: TransactionRow[] = await findTransactions(db, { where: { payment_link_id: id, method: 'card' } });
  return Math.max(0, ...payments.map(countDeclines));
}

interface CardForm {
  card: CardDetails;
  device_session_id: string | null;
  attemptsShown: number;
}

/** Does nothing after too many declined cards. */
async function attemptCard(
  context: Context,
  link: PaymentLinkRow,
  { attemptsShown }: CardForm,
  use: () => Promise<unknown>,
  consent?: string,
): Promise<void> {
  if (acceptsCards(countedAttempts(link))) await attempt(context, link, attemptsShown, use, consent);
}

export const saveLinkedCard = (context: Context, link: PaymentLinkRow, form: CardForm): Promise<void> =>
  attemptCard(context, link, form, async () => {
    const token_id = await tokenize(context, form);
    // Without scripts, the browser has no device session.
    const input = { token_id, device_session_id: form.device_session_id ?? link.id };
    await saveCardFromToken(context, input, link.customer_id, link.id);
  });

interface SubscriptionForm extends CardForm {
  coupon: string | null;
  /** The text that the payer has agreed to. */
  consent: string;
}

export async function subscribeByLink(context: Context, link: PaymentLinkRow, form: SubscriptionForm): Promise<void> {
  const { customer_id, plan_id, quantity } = link;
  if (customer_id === null || plan_id === null) throw new Error(`payment link ${link.id} has no plan`);
  const subscribeOnce = async () => {
    const source_id = await tokenize(context, form);
    const input = { plan_id, source_id, ...(quantity && { quantity }), ...(form.coupon && { coupon: form.coupon }) };
    const { id, status } = await subscribe(context, customer_id, input, link.id).catch(error => {
      // The page shows that the link has no place left.
      throw violates(error, NO_LINK_PLACE) ? new ApiError('unavailable') : error;
    });
    // The payer can try another card there, without another subscription.
    if (status === 'past_due' || status === 'unpaid') await openLink(context.db, id);
  };
  await attemptCard(context, link, form, subscribeOnce, form.consent);
}

async function tokenize(context: Context, { card }: CardForm): Promise<string> {
  return (await insertToken(context, sealCard(context, context.newId('card'), card), null)).id;
}
