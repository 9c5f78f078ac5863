import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { ApiError } from '../platform/errors';
import { scalar, TIME_SPECIFICATION, TIMESTAMP_OR_DAY } from '../schema/scalars';
import { Count, choice, ListOf, Moment, Text, Value, Values } from '../schema/shapes';
import { isDay, isTimestamp, readTimestamp } from '../schema/time';
import { parseScriptedOutcome, SCRIPTED_OUTCOMES } from './scriptedOutcomes';

const OutcomeScalar = scalar<string | number>({
  name: 'ScriptedOutcome',
  description: 'approve, timeout, timeout_after_charge, slow, or the code of a decline as a number or as digits',
  parse: value => {
    if (typeof value !== 'string' && typeof value !== 'number') throw new ApiError('malformed', 'not_outcome');
    if (!parseScriptedOutcome(value))
      throw new ApiError('invalid_value', 'not_one_of', { values: SCRIPTED_OUTCOMES.join(', ') });
    return value;
  },
  serialize: value => value,
  accepts: { enum: SCRIPTED_OUTCOMES },
  // As they were sent: digits stay digits.
  answers: { enum: [...new Set([...SCRIPTED_OUTCOMES, ...SCRIPTED_OUTCOMES.map(String)])] },
});

const OUTCOMES = 'What the next charges meet, one after the other; then the outcome of the number itself again';

@InputType({ description: 'What the next charges to a saved card meet' })
export class CreateScript {
  @Values(OUTCOMES, () => OutcomeScalar, { max: 100, example: ['approve', 3001, 'timeout'] })
  outcomes!: (string | number)[];
}

@ObjectType({ description: 'What the next charges to a saved card meet' })
export class Script {
  @Values(OUTCOMES, () => OutcomeScalar, { example: ['approve', 3001, 'timeout'] })
  outcomes!: (string | number)[];
}

const ChargebackStep = choice('ChargebackStep', 'What becomes of a chargeback', 'open', 'accepted', 'rejected');

@InputType({ description: 'What a payer’s bank decides' })
export class DecideChargeback {
  @ChargebackStep.field('open unless told otherwise', { optional: true })
  outcome?: 'open' | 'accepted' | 'rejected';
}

const PayerDecision = choice(
  'PayerDecision',
  'What a payer does with a voucher or at a bank',
  'approved',
  'rejected',
  'pending',
);

@InputType({ description: 'What a payer does with a voucher or at a bank' })
export class PayCharge {
  @PayerDecision.field('approved unless told otherwise', { optional: true })
  outcome?: 'approved' | 'rejected' | 'pending';
}

const ClockTargetScalar = scalar<Date>({
  name: 'ClockTarget',
  description: 'A timestamp as 2026-11-14T18:50:00-05:00, or a day, which means 23:00 of it',
  specifiedBy: TIME_SPECIFICATION,
  parse: value => {
    if (typeof value !== 'string') throw new ApiError('malformed', 'not_time_or_day');
    if (!isTimestamp(value)) throw new ApiError('invalid_value', 'not_time_or_day');
    // An hour before its end, so that what the merchant does next is still of that day.
    const at = readTimestamp(isDay(value) ? `${value}T23:00` : value);
    if (!at) throw new ApiError('invalid_value', 'impossible_time');
    return at;
  },
  serialize: value => value,
  accepts: TIMESTAMP_OR_DAY,
});

@InputType({ description: 'Where the test clock goes, and whose' })
export class MoveClock {
  @Value('A timestamp, or a day, which means 23:00 of it', () => ClockTargetScalar, { example: '2027-01-31' })
  to!: Date;
  @Text('Of this customer only', { id: 'customer', optional: true, max: 45 })
  customer_id?: string;
  @Text('Of this subscription only', { id: 'subscription', optional: true, max: 45 })
  subscription_id?: string;
}

@ObjectType({ description: 'Something that has not caught up with a test clock yet' })
export class ClockWait {
  @Text('A subscription or a transaction', { example: 's9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Text('What it waits for', { example: 'The charge of period 2 is under way.' })
  reason!: string;
}

@ObjectType({ description: 'A test clock; while it is being moved also how far that is' })
export class Clock {
  @Moment('What time it is')
  now!: Date;
  @Moment('Where it goes', { optional: true })
  to?: Date;
  @Count('How many have arrived', { optional: true, example: 640 })
  done?: number;
  @Count('Of how many', { optional: true, example: 1000 })
  total?: number;
  @ListOf('The first ones that have not arrived, and why', () => ClockWait, { optional: true })
  waiting_for?: ClockWait[];
}

@ArgsType()
export class ClockOwnerArgs {
  @Text('Of this customer', { id: 'customer', optional: true, max: 45 })
  customer_id?: string;
  @Text('Of this subscription', { id: 'subscription', optional: true, max: 45 })
  subscription_id?: string;
}
