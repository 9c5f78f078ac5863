/** Fraud rules, and what is known of a payment when they are asked. */
import type { FraudRuleModel } from '../../../prisma/generated/models';
import type { Money } from '../../platform/money';

export const RULE_KINDS = ['attempts', 'declines', 'amount', 'country', 'allowed', 'blocked', 'metadata'] as const;
export const RULE_SCOPES = ['transaction', 'card', 'device', 'email', 'address', 'customer'] as const;
export const RULE_CONDITIONS = ['in', 'not_in', 'equals', 'not_equals', 'present', 'greater_than'] as const;
export const RULE_PAYMENTS = ['charges', 'renewals', 'both'] as const;

export type RuleKind = (typeof RULE_KINDS)[number];
export type RuleScope = (typeof RULE_SCOPES)[number];
export type RuleCondition = (typeof RULE_CONDITIONS)[number];

/** Those that its kind has. */
export interface RuleParameters {
  scope?: RuleScope;
  max?: number;
  minutes?: number;
  /** In centavos, which fit into a number. */
  amount?: number;
  countries?: string[];
  values?: string[];
  /** Of the saved cards among the values: the hash of the number, which is still known when the card is deleted. */
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

/** For a row that Prisma has read or written. */
export const narrowRule = <Row extends FraudRuleModel>(row: Row) => ({
  ...row,
  kind: row.kind as RuleKind,
  applies_to: row.applies_to as FraudRuleRecord['applies_to'],
  parameters: row.parameters as RuleParameters,
});

/** What is not known is absent, and no rule about it applies. */
export interface FraudFacts {
  merchant_id: string;
  purpose: 'charges' | 'renewals';
  /** By the clock of the payment. */
  at: Date;
  /** Zero where a card is only verified. */
  amount: Money;
  /** Equal for equal card numbers, and nothing else. */
  card?: string | undefined;
  /** Its hash, by which lists know saved cards, where it differs from that. */
  listed_card?: string | undefined;
  /** The masked number. */
  card_number?: string | undefined;
  device?: string | null | undefined;
  email?: string | null | undefined;
  address?: string | null | undefined;
  customer_id?: string | null | undefined;
  country?: string | null | undefined;
  metadata?: Record<string, string> | undefined;
}

/** The country of a card's issuer, of a saved card, a token or the copy in a charge; null where nobody has said it. */
export const countryOf = (card: object | null): string | null =>
  (card as { country?: string | null } | null)?.country ?? null;
