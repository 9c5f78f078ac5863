/** The search attributes by which operators find workflows. */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

export const MerchantIdAttribute = defineSearchAttributeKey('MerchantId', SearchAttributeType.KEYWORD);
export const CustomerIdAttribute = defineSearchAttributeKey('CustomerId', SearchAttributeType.KEYWORD);
export const PlanIdAttribute = defineSearchAttributeKey('PlanId', SearchAttributeType.KEYWORD);
export const EnvironmentAttribute = defineSearchAttributeKey('Environment', SearchAttributeType.KEYWORD);
export const SubscriptionStatusAttribute = defineSearchAttributeKey('SubscriptionStatus', SearchAttributeType.KEYWORD);
export const NextChargeAtAttribute = defineSearchAttributeKey('NextChargeAt', SearchAttributeType.DATETIME);
export const BillingStateAttribute = defineSearchAttributeKey('BillingState', SearchAttributeType.KEYWORD);
export const RetriesLeftAttribute = defineSearchAttributeKey('RetriesLeft', SearchAttributeType.INT);
export const OverdueSinceAttribute = defineSearchAttributeKey('OverdueSince', SearchAttributeType.DATETIME);
/** In pesos. */
export const AmountAttribute = defineSearchAttributeKey('Amount', SearchAttributeType.DOUBLE);
export const EndReasonAttribute = defineSearchAttributeKey('EndReason', SearchAttributeType.KEYWORD);
export const WebhookIdAttribute = defineSearchAttributeKey('WebhookId', SearchAttributeType.KEYWORD);
/** HTTP status of the latest attempt, or a text if there was no response. */
export const LastStatusAttribute = defineSearchAttributeKey('LastStatus', SearchAttributeType.KEYWORD);
export const AttemptAttribute = defineSearchAttributeKey('Attempt', SearchAttributeType.INT);

/** A Temporal server with an SQL database supports ten keywords and three attributes of each other type per namespace. */
export const SEARCH_ATTRIBUTES = [
  MerchantIdAttribute,
  CustomerIdAttribute,
  PlanIdAttribute,
  EnvironmentAttribute,
  SubscriptionStatusAttribute,
  BillingStateAttribute,
  EndReasonAttribute,
  WebhookIdAttribute,
  LastStatusAttribute,
  NextChargeAtAttribute,
  OverdueSinceAttribute,
  RetriesLeftAttribute,
  AttemptAttribute,
  AmountAttribute,
];
