/** REST routes: method, path below /v1/:merchant_id, the GraphQL field, and its argument for the body. */
import type { Environment } from '../../../prisma/generated/enums';

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  field: string;
  body?: string;
  /** Responds 201 with Location and Resource-Id. */
  creates?: true;
  /** Responds with an empty object. */
  empty?: true;
  /** Responds 202 while the result has a target `to` that is not reached yet. */
  waits?: true;
  /** Streams the list of the response part by part, as JSON or CSV. */
  streams?: true;
}

type RouteRow = readonly [
  Route['method'],
  path: string,
  field: string,
  body?: string | undefined,
  response?: 'creates' | 'empty' | 'waits' | 'streams',
];

const rows: readonly RouteRow[] = [
  ['GET', '/', 'merchant'],
  ['PUT', '/', 'updateMerchant', 'merchant'],
  ['GET', '/statement', 'statement', undefined, 'streams'],
  ['GET', '/stats', 'stats'],
  ['GET', '/audit_log', 'auditLog'],

  ['GET', '/settlements', 'settlements'],
  ['GET', '/settlements/:settlement_id', 'settlement'],
  ['GET', '/settlements/:settlement_id/items', 'settlementItems', undefined, 'streams'],

  ['POST', '/keys', 'createKey', 'key', 'creates'],
  ['GET', '/keys', 'keys'],
  ['GET', '/keys/:key_id', 'key'],
  ['PUT', '/keys/:key_id', 'updateKey', 'key'],
  ['POST', '/keys/:key_id/rotate', 'rotateKey', 'rotation'],
  ['DELETE', '/keys/:key_id', 'revokeKey'],

  ['POST', '/sessions', 'createSession', 'session', 'creates'],
  ['GET', '/sessions', 'sessions'],
  ['GET', '/sessions/:session_id', 'session'],
  ['DELETE', '/sessions/:session_id', 'revokeSession'],

  ['POST', '/customers', 'createCustomer', 'customer', 'creates'],
  ['GET', '/customers', 'customers'],
  ['GET', '/customers/:customer_id', 'customer'],
  ['PUT', '/customers/:customer_id', 'updateCustomer', 'customer'],
  ['POST', '/customers/:customer_id/resume_emails', 'resumeCustomerEmails'],
  ['DELETE', '/customers/:customer_id', 'deleteCustomer'],
  ['POST', '/customers/:customer_id/portal', 'createCustomerPortal', 'portal'],

  ['POST', '/tokens', 'createToken', 'token', 'creates'],
  ['GET', '/tokens/:token_id', 'token'],

  ['POST', '/devices', 'createDevice', 'device', 'creates'],
  ['GET', '/devices/:device_id', 'device'],

  ['POST', '/cards', 'createCard', 'card', 'creates'],
  ['GET', '/cards', 'cards'],
  ['GET', '/cards/:card_id', 'card'],
  ['PUT', '/cards/:card_id', 'updateCard', 'card', 'empty'],
  ['DELETE', '/cards/:card_id', 'deleteCard'],
  ['POST', '/customers/:customer_id/cards', 'createCard', 'card', 'creates'],
  ['GET', '/customers/:customer_id/cards', 'cards'],
  ['GET', '/customers/:customer_id/cards/:card_id', 'card'],
  ['PUT', '/customers/:customer_id/cards/:card_id', 'updateCard', 'card', 'empty'],
  ['DELETE', '/customers/:customer_id/cards/:card_id', 'deleteCard'],

  ['POST', '/charges', 'createCharge', 'charge'],
  ['GET', '/charges', 'charges'],
  ['GET', '/charges/:transaction_id', 'charge'],
  ['GET', '/charges/:transaction_id/receipt', 'receipt'],
  ['POST', '/charges/:transaction_id/refund', 'refundCharge', 'refund'],
  ['POST', '/charges/:transaction_id/capture', 'captureCharge', 'capture'],
  ['POST', '/customers/:customer_id/charges', 'createCharge', 'charge'],
  ['GET', '/customers/:customer_id/charges', 'charges'],
  ['GET', '/customers/:customer_id/charges/:transaction_id', 'charge'],
  ['GET', '/customers/:customer_id/charges/:transaction_id/receipt', 'receipt'],
  ['POST', '/customers/:customer_id/charges/:transaction_id/refund', 'refundCharge', 'refund'],
  ['POST', '/customers/:customer_id/charges/:transaction_id/capture', 'captureCharge', 'capture'],

  ['POST', '/pse', 'createPse', 'pse'],
  ['POST', '/customers/:customer_id/pse', 'createPse', 'pse'],

  ['POST', '/payment_links', 'createPaymentLink', 'payment_link', 'creates'],
  ['GET', '/payment_links', 'paymentLinks'],
  ['GET', '/payment_links/:payment_link_id', 'paymentLink'],
  ['POST', '/payment_links/:payment_link_id/cancel', 'cancelPaymentLink'],
  ['POST', '/payment_links/:payment_link_id/send', 'sendPaymentLink', 'email'],

  ['POST', '/fees', 'createFee', 'fee'],
  ['GET', '/fees', 'fees'],
  ['GET', '/fees/:fee_id', 'fee'],
  ['POST', '/fees/:fee_id/refund', 'refundFee', 'refund'],

  ['POST', '/payouts', 'createPayout', 'payout'],
  ['GET', '/payouts', 'payouts'],
  ['GET', '/payouts/:payout_id', 'payout'],

  ['GET', '/fraud_rules', 'fraudRules'],
  ['POST', '/fraud_rules', 'createFraudRule', 'rule', 'creates'],
  ['POST', '/fraud_rules/dry_run', 'dryRunFraudRule', 'dry_run'],
  ['GET', '/fraud_rules/:fraud_rule_id', 'fraudRule'],
  ['PUT', '/fraud_rules/:fraud_rule_id', 'updateFraudRule', 'rule'],
  ['DELETE', '/fraud_rules/:fraud_rule_id', 'deleteFraudRule'],
  ['GET', '/fraud_settings', 'fraudSettings'],
  ['PUT', '/fraud_settings', 'updateFraudSettings', 'settings'],

  ['POST', '/plans', 'createPlan', 'plan', 'creates'],
  ['GET', '/plans', 'plans'],
  ['GET', '/plans/:plan_id', 'plan'],
  ['PUT', '/plans/:plan_id', 'updatePlan', 'plan'],
  ['DELETE', '/plans/:plan_id', 'deletePlan'],
  ['GET', '/plans/:plan_id/subscriptions', 'subscriptions'],
  ['POST', '/plans/:plan_id/replace', 'replacePlan', 'replacement'],
  ['GET', '/plans/:plan_id/replacement', 'planReplacement'],

  ['POST', '/coupons', 'createCoupon', 'coupon', 'creates'],
  ['GET', '/coupons', 'coupons'],
  ['GET', '/coupons/:coupon_id', 'coupon'],
  ['DELETE', '/coupons/:coupon_id', 'deleteCoupon'],

  ['GET', '/subscriptions', 'subscriptions'],
  ['POST', '/customers/:customer_id/subscriptions', 'createSubscription', 'subscription', 'creates'],
  ['GET', '/customers/:customer_id/subscriptions', 'subscriptions'],
  ['GET', '/customers/:customer_id/subscriptions/:subscription_id', 'subscription'],
  ['PUT', '/customers/:customer_id/subscriptions/:subscription_id', 'updateSubscription', 'subscription'],
  ['DELETE', '/customers/:customer_id/subscriptions/:subscription_id', 'deleteSubscription'],
  ['POST', '/customers/:customer_id/subscriptions/:subscription_id/retry', 'retrySubscription'],
  ['POST', '/customers/:customer_id/subscriptions/:subscription_id/pause', 'pauseSubscription', 'pause'],
  ['POST', '/customers/:customer_id/subscriptions/:subscription_id/resume', 'resumeSubscription'],
  ['POST', '/customers/:customer_id/subscriptions/:subscription_id/change', 'changeSubscription', 'change'],
  ['DELETE', '/customers/:customer_id/subscriptions/:subscription_id/change', 'withdrawSubscriptionChange'],
  ['POST', '/customers/:customer_id/subscriptions/:subscription_id/coupon', 'applyCoupon', 'coupon'],
  ['DELETE', '/customers/:customer_id/subscriptions/:subscription_id/coupon', 'removeCoupon'],
  ['POST', '/customers/:customer_id/subscriptions/:subscription_id/extras', 'createExtra', 'extra', 'creates'],
  ['GET', '/customers/:customer_id/subscriptions/:subscription_id/extras', 'extras'],
  ['DELETE', '/customers/:customer_id/subscriptions/:subscription_id/extras/:extra_id', 'deleteExtra'],
  ['POST', '/customers/:customer_id/subscriptions/:subscription_id/credit/return', 'returnCredit'],
  ['POST', '/customers/:customer_id/subscriptions/:subscription_id/link', 'createSubscriptionLink', 'link'],
  ['DELETE', '/customers/:customer_id/subscriptions/:subscription_id/link', 'deleteSubscriptionLink'],
  ['POST', '/customers/:customer_id/subscriptions/:subscription_id/preview', 'previewSubscriptionChange', 'change'],
  ['GET', '/customers/:customer_id/subscriptions/:subscription_id/projection', 'projection'],
  ['GET', '/customers/:customer_id/subscriptions/:subscription_id/history', 'history'],

  ['GET', '/events', 'events'],
  ['GET', '/events/:event_id', 'event'],

  ['POST', '/webhooks', 'createWebhook', 'webhook', 'creates'],
  ['GET', '/webhooks', 'webhooks'],
  ['GET', '/webhooks/:webhook_id', 'webhook'],
  ['PUT', '/webhooks/:webhook_id', 'updateWebhook', 'webhook'],
  ['DELETE', '/webhooks/:webhook_id', 'deleteWebhook'],
  ['POST', '/webhooks/:webhook_id/verify/:verification_code', 'verifyWebhook'],
  ['POST', '/webhooks/:webhook_id/test', 'testWebhook'],
  ['POST', '/webhooks/:webhook_id/rotate_secret', 'rotateWebhookSecret'],
  ['GET', '/webhooks/:webhook_id/deliveries', 'deliveries'],
  ['POST', '/webhooks/:webhook_id/deliveries/:delivery_id/redeliver', 'redeliver'],
  ['POST', '/webhooks/:webhook_id/redeliver', 'redeliverRange', 'range'],

  ['GET', '/search', 'search'],

  ['POST', '/sandbox/clock', 'moveClock', 'clock', 'waits'],
  ['GET', '/sandbox/clock', 'clock'],
  ['POST', '/sandbox/settle', 'settle'],
  ['POST', '/sandbox/charges/:transaction_id/pay', 'payCharge', 'payment'],
  ['POST', '/sandbox/charges/:transaction_id/chargeback', 'decideChargeback', 'chargeback'],
  ['POST', '/sandbox/cards/:saved_card_id/script', 'scriptCard', 'script'],
];

/** Whether browsers may call this path from other sites with the public key. */
export const allowsBrowsers = (path: string): boolean => /^\/(tokens\b|devices\/?$)/.test(path);

export const routes: readonly Route[] = rows.map(([method, path, field, body, response]) => ({
  method,
  path,
  field,
  ...(body ? { body } : {}),
  ...(response ? { [response]: true } : {}),
}));

/** Paths below /sandbox exist only in the sandbox. */
export const routesOf = (environment: Environment): Route[] =>
  routes.filter(({ path }) => environment === 'sandbox' || !path.startsWith('/sandbox/'));
