import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { ApiError } from '../platform/errors';
import { scalar, TIME_SPECIFICATION, TIMESTAMP_OR_DAY } from '../schema/scalars';
import { Count, choice, ListOf, Moment, Text, Value, Values } from '../schema/shapes';
import { isDay, isTimestamp, readTimestamp } from '../schema/time';
import { parseScriptedOutcome, SCRIPTED_OUTCOME_SCHEMA, SCRIPTED_OUTCOMES } from './scriptedOutcomes';

const OutcomeScalar = scalar<string | number>({
  name: 'ScriptedOutcome',
  description:
    '`approve`, `timeout`, `timeout_after_charge`, `slow`, or a decline code as a number or a string, also with advice of the bank: `3001 do_not_retry`, `3003 retry_after_72h`',
  parse: value => {
    if (typeof value !== 'string' && typeof value !== 'number') throw new ApiError('malformed', 'not_outcome');
    if (!parseScriptedOutcome(value))
      throw new ApiError('invalid_value', 'not_one_of', { values: SCRIPTED_OUTCOMES.join(', ') });
    return value;
  },
  serialize: value => value,
  ...SCRIPTED_OUTCOME_SCHEMA,
});

const OUTCOMES = 'Outcomes of the next charges, in order; later charges have the default outcome of the card number';

@InputType({ description: 'Scripted outcomes of the next charges to a saved card' })
export class CreateScript {
  @Values(OUTCOMES, () => OutcomeScalar, { max: 100, example: ['approve', 3001, 'timeout'] })
  outcomes!: (string | number)[];
}

@ObjectType({ description: 'Scripted outcomes of the next charges to a saved card' })
export class Script {
  @Values(OUTCOMES, () => OutcomeScalar, { example: ['approve', 3001, 'timeout'] })
  outcomes!: (string | number)[];
}

const ChargebackStep = choice('ChargebackStep', 'Chargeback step', 'open', 'accepted', 'rejected');

@InputType({ description: 'A chargeback step by the payer’s bank' })
export class DecideChargeback {
  @ChargebackStep.field('Chargeback step (default open)', { optional: true })
  outcome?: 'open' | 'accepted' | 'rejected';
}

const PayerDecision = choice(
  'PayerDecision',
  'Decision of the payer of a voucher, bank payment or Bre-B payment',
  'approved',
  'rejected',
  'pending',
);

@InputType({ description: 'Decision of the payer of a voucher, bank payment or Bre-B payment' })
export class PayCharge {
  @PayerDecision.field('Decision of the payer (default approved)', { optional: true })
  outcome?: 'approved' | 'rejected' | 'pending';
}

const ClockTargetScalar = scalar<Date>({
  name: 'ClockTarget',
  description: 'A timestamp such as 2026-11-14T18:50:00-05:00, or a day, which means 23:00 of that day',
  specifiedBy: TIME_SPECIFICATION,
  parse: value => {
    if (typeof value !== 'string') throw new ApiError('malformed', 'not_time_or_day');
    if (!isTimestamp(value)) throw new ApiError('invalid_value', 'not_time_or_day');
    // An hour before midnight, so that the merchant's next requests are dated on the same day.
    const at = readTimestamp(isDay(value) ? `${value}T23:00` : value);
    if (!at) throw new ApiError('invalid_value', 'impossible_time');
    return at;
  },
  serialize: value => value,
  accepts: TIMESTAMP_OR_DAY,
});

@InputType({ description: 'The target time and the scope of a test clock' })
export class MoveClock {
  @Value('Target time: a timestamp, or a day, which means 23:00 of that day', () => ClockTargetScalar, {
    example: '2027-01-31',
  })
  to!: Date;
  @Text('Move the clock of this customer only', { id: 'customer', optional: true, max: 45 })
  customer_id?: string;
  @Text('Move the clock of this subscription only', { id: 'subscription', optional: true, max: 45 })
  subscription_id?: string;
}

@ObjectType({ description: 'A subscription or transaction that a test clock move waits for' })
export class ClockWait {
  @Text('Subscription ID or transaction ID', { example: 's9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Text('Reason for the wait', { example: 'The charge of period 2 is in progress.' })
  reason!: string;
}

@ObjectType({ description: 'A test clock, with its progress during a move' })
export class Clock {
  @Moment('Current time of the clock')
  now!: Date;
  @Moment('Target time of the move', { optional: true })
  to?: Date;
  @Count('Number of subscriptions and charges that have reached the target time', { optional: true, example: 640 })
  done?: number;
  @Count('Number of subscriptions and charges in the move', { optional: true, example: 1000 })
  total?: number;
  @ListOf('Up to five subscriptions and charges that have not reached the target time', () => ClockWait, {
    optional: true,
  })
  waiting_for?: ClockWait[];
}

@ArgsType()
export class ClockOwnerArgs {
  @Text('Return the clock of this customer', { id: 'customer', optional: true, max: 45 })
  customer_id?: string;
  @Text('Return the clock of this subscription', { id: 'subscription', optional: true, max: 45 })
  subscription_id?: string;
}
