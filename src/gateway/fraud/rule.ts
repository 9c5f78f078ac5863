/** Fraud rules and the payment facts that they evaluate. */
import type { FraudRuleModel } from '../../../prisma/generated/models';
import type { Money } from '../../platform/money';

export const RULE_KINDS = ['attempts', 'declines', 'amount', 'country', 'allowed', 'blocked', 'metadata'] as const;
export const RULE_SCOPES = ['transaction', 'card', 'device', 'email', 'address', 'customer'] as const;
export const RULE_CONDITIONS = ['in', 'not_in', 'equals', 'not_equals', 'present', 'greater_than'] as const;
export const RULE_PAYMENTS = ['charges', 'renewals', 'both'] as const;

export type RuleKind = (typeof RULE_KINDS)[number];
export type RuleScope = (typeof RULE_SCOPES)[number];
export type RuleCondition = (typeof RULE_CONDITIONS)[number];

/** Each kind uses a subset. */
export interface RuleParameters {
  scope?: RuleScope;
  max?: number;
  minutes?: number;
  /** Centavos. */
  amount?: number;
  countries?: string[];
  values?: string[];
  /** Hash of the number by saved-card ID, so that the rule outlives a deleted card. */
  cards?: Record<string, string>;
  key?: string;
  condition?: RuleCondition;
  value?: string;
}

export interface FraudRuleRecord {
  name: string;
  kind: RuleKind;
  enabled: boolean;
  applies_to: (typeof RULE_PAYMENTS)[number];
  parameters: RuleParameters;
}

/** `requested_renewals`: renewals that a request causes, in addition to `renewals`. */
export type PaymentPurpose = 'charges' | 'renewals' | 'requested_renewals';

export const appliesTo = ({ applies_to }: FraudRuleRecord, purpose: PaymentPurpose): boolean =>
  purpose === 'requested_renewals' ? applies_to === 'charges' : applies_to === 'both' || applies_to === purpose;

/** Narrows a Prisma row. */
export const narrowRule = <Row extends FraudRuleModel>(row: Row) => ({
  ...row,
  kind: row.kind as RuleKind,
  applies_to: row.applies_to as FraudRuleRecord['applies_to'],
  parameters: row.parameters as RuleParameters,
});

/** Rules about an absent fact do not apply. */
export interface FraudFacts {
  merchant_id: string;
  purpose: PaymentPurpose;
  /** Time by the payment's clock. */
  at: Date;
  /** Zero for a card verification. */
  amount: Money;
  /** Hash of the card number. */
  card?: string | undefined;
  /** Hash that lists store for saved cards, if it differs from `card`. */
  listed_card?: string | undefined;
  /** Masked. */
  card_number?: string | undefined;
  device?: string | null | undefined;
  email?: string | null | undefined;
  address?: string | null | undefined;
  customer_id?: string | null | undefined;
  country?: string | null | undefined;
  metadata?: Record<string, string> | undefined;
}

/** Issuer country of a saved card, a token or a charge's card copy. */
export const countryOf = (card: object | null): string | null =>
  (card as { country?: string | null } | null)?.country ?? null;
