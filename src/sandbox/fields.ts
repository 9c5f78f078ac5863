import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { addDays, opening } from '../../workflows/calendar';
import { ApiError } from '../errors';
import { scalar } from '../schema/scalars';
import { Count, choice, Moment, Text, Value, Values } from '../schema/shapes';
import { dayBounds } from '../schema/time';
import { readStep } from './outcomes';

const OutcomeScalar = scalar<string | number>({
  name: 'ScriptedOutcome',
  description: 'approve, timeout, timeout_after_charge, slow, or the code of a decline as a number or as digits',
  parse: value => {
    if (typeof value !== 'string' && typeof value !== 'number') throw new ApiError('malformed', 'is not an outcome');
    if (!readStep(value)) throw new ApiError('invalid_value', 'is not an outcome that a charge can have');
    return value;
  },
  serialize: value => value,
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

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i;

const ClockTargetScalar = scalar<Date>({
  name: 'ClockTarget',
  description: 'A timestamp as 2026-11-14T18:50:00-05:00, or a day, which means its last second',
  parse: value => {
    if (typeof value !== 'string') throw new ApiError('malformed', 'is not a timestamp or a day');
    if (!DAY.test(value) && !TIMESTAMP.test(value)) throw new ApiError('invalid_value', 'is not a timestamp or a day');
    const day = value.slice(0, 10);
    if (!dayBounds(day)) throw new ApiError('invalid_value', 'is a day that does not exist');
    if (DAY.test(value)) return new Date(opening(addDays(day, 1)) - 1000);
    const at = new Date(/(Z|[+-]\d{2}:?\d{2})$/i.test(value) ? value : `${value}-05:00`);
    if (Number.isNaN(at.getTime())) throw new ApiError('invalid_value', 'is a time that does not exist');
    return new Date(Math.floor(at.getTime() / 1000) * 1000);
  },
  serialize: value => value,
});

@InputType({ description: 'Where the test clock goes, and whose' })
export class MoveClock {
  @Value('A timestamp, or a day, which means its last second', () => ClockTargetScalar, { example: '2027-01-31' })
  to!: Date;
  @Text('Of this customer only', { optional: true, max: 45 })
  customer_id?: string;
  @Text('Of this subscription only', { optional: true, max: 45 })
  subscription_id?: string;
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
}

@ArgsType()
export class WhoseClock {
  @Text('Of this customer', { optional: true, max: 45 })
  customer_id?: string;
  @Text('Of this subscription', { optional: true, max: 45 })
  subscription_id?: string;
}
