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
import { STORABLE } from '../../schema/patterns';
import { scalar } from '../../schema/scalars';
import { Amount, Count, choice, Day, Flag, ListOf, Moment, Nested, Text, Values } from '../../schema/shapes';

const MAX_WINDOW_MINUTES = 30 * 24 * 60;
const MAX_LISTED_VALUES = 1000;
const MAX_COUNTRIES = 250;
const MAX_VALUE_LENGTH = 255;

const Kind = choice('FraudRuleKind', 'What a rule looks at', ...RULE_KINDS);
const Scope = choice('FraudRuleScope', 'Whom or what a rule is about', ...RULE_SCOPES);
const Condition = choice('FraudRuleCondition', 'How a rule compares', ...RULE_CONDITIONS);
const AppliesTo = choice('FraudRulePayments', 'Which payments ask a rule', ...RULE_PAYMENTS);
const Presets = choice('FraudPresets', 'Defaults as in this environment', 'sandbox', 'production');

const CountryScalar = scalar<string>({
  name: 'Country',
  description: 'A country by its two letters (ISO 3166), as CO',
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
  @Scope.field('Whom or what it counts, sums up or lists', { optional: true })
  scope?: RuleScope;
  @Count('How many attempts or declines it allows', { optional: true, min: 1, max: 1_000_000, example: 5 })
  max?: number;
  @Count('Within how many minutes', { optional: true, min: 1, max: MAX_WINDOW_MINUTES, example: 60 })
  minutes?: number;
  @Amount('How much it allows, in one transaction or in a day', { optional: true, min: 1, example: 5000000 })
  amount?: Money;
  @Values('Countries of the card', () => CountryScalar, { optional: true, max: MAX_COUNTRIES, example: ['CO'] })
  countries?: string[];
  @Values('What is allowed or blocked', () => ListedValueScalar, {
    optional: true,
    max: MAX_LISTED_VALUES,
    example: ['@example.com'],
  })
  values?: string[];
  @Text('Which entry of the metadata', { optional: true, max: 100, example: 'channel' })
  key?: string;
  @Condition.field('How it compares', { optional: true })
  condition?: RuleCondition;
  @Text('What the entry is compared with', { optional: true, max: 500, example: 'phone' })
  value?: string;
}

@InputType({ description: 'What is refused before the acquirer is asked' })
export class CreateFraudRule extends RuleTerms {
  @Text('Its name, which a refusal tells; unique', { max: 100, example: 'one_card_a_minute' })
  name!: string;
  @Kind.field('What it looks at')
  kind!: RuleKind;
  @Flag('Whether it is in force', { optional: true })
  enabled: boolean = true;
  @AppliesTo.field('Which payments ask it', { optional: true })
  applies_to: (typeof RULE_PAYMENTS)[number] = 'charges';
}

@InputType({ description: 'What to change of a rule' })
export class UpdateFraudRule extends RuleTerms {
  @Text('Its name', { optional: true, max: 100, example: 'one_card_a_minute' })
  name?: string;
  @Kind.field('Cannot be changed', { optional: true })
  kind?: RuleKind;
  @Flag('Whether it is in force', { optional: true, example: false })
  enabled?: boolean;
  @AppliesTo.field('Which payments ask it', { optional: true })
  applies_to?: (typeof RULE_PAYMENTS)[number];
}

@ObjectType({ description: 'What is refused before the acquirer is asked' })
export class FraudRule extends RuleTerms {
  @Text('Unique identifier', { id: 'fraud_rule', example: 'r9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Text('Its name, which a refusal tells', { example: 'declines_per_card' })
  name!: string;
  @Kind.field('What it looks at')
  kind!: RuleKind;
  @Flag('Whether it is in force')
  enabled!: boolean;
  @AppliesTo.field('Which payments ask it')
  applies_to!: (typeof RULE_PAYMENTS)[number];
  @Flag('Whether every merchant has it, as it is')
  default!: boolean;
  @Moment('When it was created; null for a default', { nullable: true })
  creation_date!: Date | null;
  @Text('What is unusual about a rule that was just stored', { optional: true })
  warning?: string;
}

@ArgsType()
export class FraudRulesPage {
  @Count('Records to skip', { optional: true, min: 0 })
  offset: number = 0;
  @Count('Records wanted', { optional: true, min: 1, max: 1000 })
  limit: number = 100;
}

@InputType({ description: 'A rule, and the charges that it is tried on' })
export class DryRunRequest {
  @Nested('The rule; it need not be stored', () => CreateFraudRule, {
    example: { name: 'large_orders', kind: 'amount', scope: 'customer', amount: 5000000 },
  })
  rule!: CreateFraudRule;
  @Day('First day; 90 days ago unless told otherwise, and no earlier', { optional: true })
  from?: string;
  @Day('Last day; today unless told otherwise', { optional: true })
  to?: string;
  @Count('Of the refused charges, how many to skip', { optional: true, min: 0 })
  offset: number = 0;
  @Count('Of the refused charges, how many to show', { optional: true, min: 1, max: 100 })
  limit: number = 10;
}

@ObjectType({ description: 'A charge that the rule would have refused' })
class RefusedCharge {
  @Text('Which charge', { id: 'transaction', example: 't9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Moment('When it was made')
  creation_date!: Date;
  @Amount('How much')
  amount!: Money;
  @Text('What became of it', { example: 'completed' })
  status!: string;
}

@ObjectType({ description: 'What a rule would have done' })
export class DryRun {
  @Count('How many charges it was tried on, at most 10,000')
  evaluated!: number;
  @Count('How many of them it would have refused')
  refused!: number;
  @Text('Which part of them that is, from 0 to 1', { example: '0.125' })
  share!: string;
  @ListOf('The refused ones, newest first', () => RefusedCharge)
  charges!: RefusedCharge[];
  @Text('What is unusual about it', { optional: true })
  warning?: string;
}

@ObjectType({ description: 'How fraud rules are set up' })
export class FraudSettings {
  @Presets.field('Whose defaults the merchant has')
  presets!: 'sandbox' | 'production';
}

@InputType({ description: 'How fraud rules are set up' })
export class UpdateFraudSettings {
  @Presets.field('Whose defaults the merchant has; in production only its own')
  presets!: 'sandbox' | 'production';
}
