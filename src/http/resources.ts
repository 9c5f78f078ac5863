/** What the parameters of a path name. */
import { findAnyCard, findCard } from '../cards/resolver';
import { findCharge } from '../charges/resolver';
import type { Context } from '../context';
import { findCustomer } from '../customers/resolver';
import { findEvent } from '../events/list';
import { findFee } from '../fees/resolver';
import { findPlan } from '../plans/resolver';
import { ApiError } from '../platform/errors';
import { findSubscription } from '../subscriptions/list';
import { findToken } from '../tokens/rows';
import { findWebhook } from '../webhooks/rows';

type NamedIds = Record<string, string | undefined>;

const finders: Record<string, (context: Context, id: string, named: NamedIds) => Promise<unknown>> = {
  customer_id: findCustomer,
  card_id: (context, id, { customer_id }) => findCard(context, id, customer_id),
  saved_card_id: findAnyCard,
  transaction_id: (context, id, { customer_id }) => findCharge(context, id, customer_id),
  fee_id: findFee,
  plan_id: findPlan,
  subscription_id: (context, id, { customer_id }) => findSubscription(context, id, customer_id),
  token_id: (context, id) => findToken(context, id),
  event_id: findEvent,
  webhook_id: findWebhook,
};

/** 1005 where something that is named is not there. */
export async function requireResources(context: Context, args: Record<string, unknown>): Promise<void> {
  const given = Object.entries(args).filter(([name, id]) => name in finders && id !== undefined && id !== null);
  const named = Object.fromEntries(given.map(([name, id]) => [name, String(id)]));
  for (const [name, id] of Object.entries(named)) await finders[name]?.(context, id, named);
}

/**
 * Who is missing is told of before what is wrong with the rest of the request. Looked for only when something is wrong, so that a good
 * request costs no extra look.
 */
export async function preferNotFound(context: Context, args: Record<string, unknown>, error: unknown): Promise<never> {
  if (error instanceof ApiError && (error.kind === 'malformed' || error.kind === 'invalid_value')) {
    await requireResources(context, args);
  }
  throw error;
}
