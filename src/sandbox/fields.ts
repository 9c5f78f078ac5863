import { InputType, ObjectType } from 'type-graphql';
import { ApiError } from '../errors';
import { scalar } from '../schema/scalars';
import { choice, Values } from '../schema/shapes';
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
