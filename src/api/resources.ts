/** Finds the resources that path parameters or arguments name. */
import { findKey } from '../accounts/merchants/keyRows';
import { findSession } from '../accounts/sessions/rows';
import { findCoupon } from '../billing/coupons/resolver';
import { findLink } from '../billing/paymentLinks/rows';
import { findPlan } from '../billing/plans/resolver';
import { findSubscription } from '../billing/subscriptions/list';
import { findEvent } from '../events/list';
import { findWebhook } from '../notifications/webhooks/rows';
import { findAnyCard, findCard } from '../payments/cards/resolver';
import { findCharge } from '../payments/charges/resolver';
import { findCustomer } from '../payments/customers/rows';
import { findDevice } from '../payments/devices/rows';
import { findFee } from '../payments/fees/resolver';
import { findFraudRule } from '../payments/fraudRules/rows';
import { findPayout } from '../payments/payouts/resolver';
import { findSettlement } from '../payments/settlements/list';
import { findToken } from '../payments/tokens/rows';
import { ApiError } from '../platform/errors';
import type { Context } from '../schema/operation/context';
import { withinCustomer } from '../schema/operation/guard';

type ResourceIds = Record<string, string | undefined>;

const finders: Record<string, (context: Context, id: string, ids: ResourceIds) => Promise<unknown>> = {
  customer_id: findCustomer,
  card_id: (context, id, { customer_id }) => findCard(context, id, customer_id),
  saved_card_id: findAnyCard,
  transaction_id: (context, id, { customer_id }) => findCharge(context, id, customer_id),
  fee_id: findFee,
  payout_id: findPayout,
  plan_id: (context, id) => findPlan(context, id),
  coupon_id: findCoupon,
  subscription_id: (context, id, { customer_id }) => findSubscription(context, id, customer_id),
  payment_link_id: findLink,
  token_id: (context, id) => findToken(context, id),
  event_id: findEvent,
  webhook_id: findWebhook,
  key_id: findKey,
  session_id: findSession,
  device_id: findDevice,
  fraud_rule_id: findFraudRule,
  settlement_id: findSettlement,
};

/** Resources that belong to a customer. A customer session must not learn whether other resources exist. */
const CUSTOMER_RESOURCES: readonly string[] = ['customer_id', 'card_id', 'transaction_id', 'subscription_id'];

/** Throws error 1005 if one of the resources does not exist. */
export async function requireResources(context: Context, args: Record<string, unknown>): Promise<void> {
  const named = withinCustomer(context, args);
  const isKnown = (name: string): boolean => (named === args ? name in finders : CUSTOMER_RESOURCES.includes(name));
  const provided = Object.entries(named).filter(([name, id]) => isKnown(name) && id !== undefined && id !== null);
  const ids = Object.fromEntries(provided.map(([name, id]) => [name, String(id)]));
  for (const [name, id] of Object.entries(ids)) await finders[name]?.(context, id, ids);
}

/** Reports a missing resource before other errors. Looks it up only after an error, so valid requests cost no query. */
export async function preferNotFound(context: Context, args: Record<string, unknown>, error: unknown): Promise<never> {
  if (error instanceof ApiError && (error.kind === 'malformed' || error.kind === 'invalid_value')) {
    await requireResources(context, args);
  }
  throw error;
}
