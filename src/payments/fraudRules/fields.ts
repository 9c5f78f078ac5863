import { ArgsType, InputType, ObjectType } from 'type-graphql';
import {
  RULE_CONDITIONS,
  RULE_KINDS,
  RULE_PAYMENTS,
  RULE_SCOPES,
  type RuleCondition,
  type RuleKind,
  type RuleScope,
} from '../../gateway/fraud/rule';
import { ApiError } from '../../platform/errors';
import type { Money } from '../../platform/money';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { STORABLE } from '../../schema/patterns';
import { scalar } from '../../schema/scalars';
import { Amount, Count, choice, Flag, Moment, Text, Values } from '../../schema/shapes';

const MAX_WINDOW_MINUTES = 30 * 24 * 60;
const MAX_LISTED_VALUES = 1000;
const MAX_COUNTRIES = 250;
const MAX_VALUE_LENGTH = 255;

const Kind = choice('FraudRuleKind', 'Kind of a fraud rule', ...RULE_KINDS);
const Scope = choice('FraudRuleScope', 'Subject by which a fraud rule counts or matches payments', ...RULE_SCOPES);
const Condition = choice('FraudRuleCondition', 'Comparison of a fraud rule', ...RULE_CONDITIONS);
const AppliesTo = choice('FraudRulePayments', 'Payments to which a fraud rule applies', ...RULE_PAYMENTS);
const Presets = choice('FraudPresets', 'Environment whose default fraud rules apply', 'sandbox', 'production');

const CountryScalar = scalar<string>({
  name: 'Country',
  description: 'An ISO 3166 alpha-2 country code, such as CO',
  specifiedBy: 'https://www.iso.org/iso-3166-country-codes.html',
  parse: value => {
    if (typeof value !== 'string') throw new ApiError('malformed', 'not_country');
    if (!/^[a-z]{2}$/i.test(value)) throw new ApiError('invalid_value', 'not_country_code');
    return value.toUpperCase();
  },
  serialize: String,
  accepts: { type: 'string', pattern: '^[A-Z]{2}$' },
});

const ListedValueScalar = scalar<string>({
  name: 'FraudListValue',
  description: `A text of at most ${MAX_VALUE_LENGTH} characters`,
  parse: value => {
    const isText = typeof value === 'string' && value.length <= MAX_VALUE_LENGTH && value.isWellFormed();
    if (!isText || value.includes('\0')) throw new ApiError('malformed', 'not_listed_text');
    return value.trim();
  },
  serialize: String,
  accepts: { type: 'string', maxLength: MAX_VALUE_LENGTH, pattern: STORABLE },
  answers: { type: 'string' },
});

@ObjectType()
@InputType()
class RuleTerms {
  @Scope.field('Subject by which the rule counts, sums or matches payments', { optional: true })
  scope?: RuleScope;
  @Count('Maximum number of attempts or declines', { optional: true, min: 1, max: 1_000_000, example: 5 })
  max?: number;
  @Count('Length of the time window in minutes', { optional: true, min: 1, max: MAX_WINDOW_MINUTES, example: 60 })
  minutes?: number;
  @Amount('Maximum amount of one transaction or of one day', { optional: true, min: 1, example: 5000000 })
  amount?: Money;
  @Values('Issuer countries of the card', () => CountryScalar, { optional: true, max: MAX_COUNTRIES, example: ['CO'] })
  countries?: string[];
  @Values('Allowed or blocked values', () => ListedValueScalar, {
    optional: true,
    max: MAX_LISTED_VALUES,
    example: ['@example.com'],
  })
  values?: string[];
  @Text('Metadata key', { optional: true, max: 100, example: 'channel' })
  key?: string;
  @Condition.field('Comparison', { optional: true })
  condition?: RuleCondition;
  @Text('Value to compare with the metadata entry', { optional: true, max: 500, example: 'phone' })
  value?: string;
}

@InputType({ description: 'A new fraud rule' })
export class CreateFraudRule extends RuleTerms {
  @Text('Unique rule name, included in declines', { max: 100, example: 'one_card_a_minute' })
  name!: string;
  @Kind.field('Kind of the rule')
  kind!: RuleKind;
  @Flag('Whether the rule is enabled', { optional: true })
  enabled: boolean = true;
  @AppliesTo.field('Payments to which the rule applies', { optional: true })
  applies_to: (typeof RULE_PAYMENTS)[number] = 'charges';
}

@InputType({ description: 'Changes to a fraud rule' })
export class UpdateFraudRule extends RuleTerms {
  @Text('Unique rule name', { optional: true, max: 100, example: 'one_card_a_minute' })
  name?: string;
  @Kind.field('Must equal the current kind, which cannot be changed', { optional: true })
  kind?: RuleKind;
  @Flag('Whether the rule is enabled', { optional: true, example: false })
  enabled?: boolean;
  @AppliesTo.field('Payments to which the rule applies', { optional: true })
  applies_to?: (typeof RULE_PAYMENTS)[number];
}

@ObjectType({ description: 'A fraud rule, evaluated before the acquirer is called' })
export class FraudRule extends RuleTerms {
  @Text('Fraud rule ID', { id: 'fraud_rule', example: 'r9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Text('Unique rule name, included in declines', { example: 'declines_per_card' })
  name!: string;
  @Kind.field('Kind of the rule')
  kind!: RuleKind;
  @Flag('Whether the rule is enabled')
  enabled!: boolean;
  @AppliesTo.field('Payments to which the rule applies')
  applies_to!: (typeof RULE_PAYMENTS)[number];
  @Flag('Whether the rule is an unchanged default')
  default!: boolean;
  @Moment('Time of creation; null for a default', { nullable: true })
  creation_date!: Date | null;
  @Text('Warning about a rule that was just saved', { optional: true })
  warning?: string;
}

@ArgsType()
export class FraudRulesArgs {
  @Count('Records to skip', { optional: true, min: 0 })
  offset: number = 0;
  @Count('Maximum number of records (default 100)', { optional: true, min: 1, max: 1000 })
  limit: number = 100;
}

@ArgsType()
export class FraudRulesConnectionArgs extends cursorPaged(class {}) {}

@ObjectType({ description: 'A page of fraud rules' })
export class FraudRuleConnection extends connectionOf(FraudRule) {}

@ObjectType({ description: 'Fraud settings' })
export class FraudSettings {
  @Presets.field('Environment whose default rules apply')
  presets!: 'sandbox' | 'production';
}

@InputType({ description: 'Fraud settings' })
export class UpdateFraudSettings {
  @Presets.field('Environment whose default rules apply; must be production for production merchants')
  presets!: 'sandbox' | 'production';
}
