/** The changes of operators that have a preview. */
import { GraphQLString } from 'graphql';
import { ArgsType, ObjectType } from 'type-graphql';
import { MAX_OVER_SECONDS } from '../../../billing/holds/hold';
import type { Money } from '../../../platform/money';
import { PercentScalar, TimestampScalar } from '../../../schema/scalars';
import { Amount, Count, choice, Text, Value, Values } from '../../../schema/shapes';
import { OperatorDecision } from '../fields';
import { HoldObject } from '../holds/fields';

const OPERATOR_ACTIONS = [
  'hold',
  'release',
  'suspend',
  'resume',
  'ask_acquirer',
  'resend',
  'rebuild',
  'drain',
  'costs',
  'reserve',
  'pay',
] as const;
export type OperatorActionName = (typeof OPERATOR_ACTIONS)[number];
export const OperatorAction = choice('OperatorAction', 'A change by an operator, with a preview', ...OPERATOR_ACTIONS);

@ArgsType()
export class PreviewArgs extends HoldObject {
  @OperatorAction.field('The change')
  action!: OperatorActionName;
  @Value('Time of automatic release of a hold', () => TimestampScalar, { optional: true })
  until?: Date;
  @Count('Seconds over which a release spreads overdue renewals', {
    optional: true,
    min: 0,
    max: MAX_OVER_SECONDS,
  })
  over_seconds?: number;
  @Value('New fee per charge, in percent of the amount', () => PercentScalar, { optional: true })
  rate?: number;
  @Amount('New fixed fee per charge', { optional: true })
  fixed?: Money;
  @Amount('New reserve, or amount of a payout', { optional: true })
  amount?: Money;
}

@ObjectType({ description: 'Steps of a change, which is not made' })
export class ActionPreview {
  @OperatorAction.field('The change')
  action!: OperatorActionName;
  @Text('ID of the object')
  id!: string;
  @Values('Steps, one sentence each, in the language of Accept-Language: Spanish or English', () => GraphQLString)
  steps!: string[];
}

@ArgsType()
export class AuditedDecision extends OperatorDecision {
  @Text('Reason, for the audit log', { max: 1000 })
  reason!: string;
}

@ObjectType({ description: 'An applied change' })
export class AppliedAction {
  @Text('ID of the changed object')
  id!: string;
  @Text('Merchant ID', { id: 'merchant' })
  merchant_id!: string;
  @Text('Reason, as in the audit log')
  reason!: string;
}
