import { InputType, ObjectType } from 'type-graphql';
import type { Money } from '../../platform/money';
import { uncountedConnectionOf } from '../../schema/connections/connection';
import { Amount, Count, Day, ListOf, Moment, Nested, Text } from '../../schema/shapes';
import { CreateFraudRule } from './fields';

@InputType({ description: 'A fraud rule and the period of the charges to evaluate' })
export class DryRunTarget {
  @Nested('The fraud rule, which does not need to be saved', () => CreateFraudRule, {
    example: { name: 'large_orders', kind: 'amount', scope: 'customer', amount: 5000000 },
  })
  rule!: CreateFraudRule;
  @Day('First day, by default and at most 90 days before `to`', { optional: true })
  from?: string;
  @Day('Last day (default today)', { optional: true })
  to?: string;
}

@InputType({ description: 'A fraud rule and the period of the charges to evaluate' })
export class DryRunRequest extends DryRunTarget {
  @Count('Refused charges to skip', { optional: true, min: 0 })
  offset: number = 0;
  @Count('Maximum number of refused charges to return (default 10)', { optional: true, min: 1, max: 100 })
  limit: number = 10;
}

@ObjectType({ description: 'A charge that the rule would have refused' })
class RefusedCharge {
  @Text('Charge ID', { id: 'transaction', example: 't9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Moment('Time of creation')
  creation_date!: Date;
  @Amount('Amount')
  amount!: Money;
  @Text('Status of the charge', { example: 'completed' })
  status!: string;
}

@ObjectType({ description: 'Result of a dry run' })
export class DryRun {
  @Count('Number of evaluated charges, at most 10,000')
  evaluated!: number;
  @Count('Number of charges that the rule would have refused')
  refused!: number;
  @Text('Refused share, from 0 to 1', { example: '0.125' })
  share!: string;
  @ListOf('Refused charges, newest first', () => RefusedCharge)
  charges!: RefusedCharge[];
  @Text('Warning about the result', { optional: true })
  warning?: string;
}

@ObjectType({ description: 'A page of RefusedCharge records' })
export class RefusedChargeConnection extends uncountedConnectionOf(RefusedCharge) {}

@ObjectType({ description: 'Result of a dry run' })
export class FraudDryRun {
  @Count('Number of evaluated charges, at most 10,000')
  evaluated!: number;
  @Count('Number of charges that the rule would have refused')
  refused!: number;
  @Text('Refused share, from 0 to 1', { example: '0.125' })
  share!: string;
  @Text('Warning about the result', { optional: true })
  warning?: string;
}
