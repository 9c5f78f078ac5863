/**
 * The protocol of every acquirer operation: a stored row is sent under its idempotency key and its outcome is recorded
 * once. An unknown outcome is never assumed.
 */
import type { Database } from '../../platform/database/connection';
import type { Money } from '../../platform/money';
import { type Acquirer, type AcquirerAnswer, type ChargeDetails, NoAnswerError, type SealedCard } from './port';

export interface AcquirerServices {
  db: Database;
  acquirer: Acquirer;
}

/** Undefined if the acquirer reversed the key, never executes it, or confirms without an authorization. */
type OperationOutcome = AcquirerAnswer | undefined;
/** Sends the request, or answers in place of the acquirer. */
type Screening = (send: () => Promise<OperationOutcome>) => Promise<OperationOutcome>;

interface OperationDefinition<Row extends { progress: string }, Input, Result> {
  /** Progress of a row whose outcome is pending; null if the row is written after the answer. */
  progress: Row['progress'] | null;
  /** Selects this operation's rows among those with the same progress. */
  matches(row: Row): boolean;
  /** The mechanism that resolves the outcome if the process dies. `lease`: recovery, after the row's lease expires. */
  recoveredBy: 'lease' | 'subscription workflow' | 'payout workflow' | 'repeated request';
  /**
   * Handling of an unknown outcome:
   * - reverse: look up the key; reverse a key unknown to the acquirer permanently.
   * - resend: look up the key on the next call; send a key unknown to the acquirer again.
   * - repeat: send again on the next call, because the acquirer answers a repeated key with the same outcome.
   * - record: call `record` without an outcome. Recovery skips the lookup.
   */
  whenUnknown: 'reverse' | 'resend' | 'repeat' | 'record';
  /** Rethrows the error of a reversed request instead of recording an outcome. */
  throwsWhenReversed?: true;
  key(row: Row): string;
  send(acquirer: Acquirer, key: string, row: Row, input: Input): Promise<OperationOutcome>;
  /** Writes the outcome unless another process did. `input` is absent if another process sent the request. */
  record(services: AcquirerServices, row: Row, outcome: OperationOutcome, input?: Input): Promise<Result>;
}

export class AcquirerOperation<Row extends { progress: string }, Input = undefined, Result = Row> {
  constructor(readonly definition: OperationDefinition<Row, Input, Result>) {}

  /** Sends a row that this process just prepared. */
  async run(services: AcquirerServices, row: Row, input: Input, screen: Screening = unscreened): Promise<Result> {
    const outcome = await this.sendScreened(services.acquirer, row, input, screen);
    return this.definition.record(services, row, outcome, input);
  }

  /** Resolves a stored row that may have been sent. Only `resend` and `repeat` need the input. */
  async resume(services: AcquirerServices, row: Row, input?: Input, screen: Screening = unscreened): Promise<Result> {
    const { whenUnknown, record } = this.definition;
    const { acquirer } = services;
    const key = this.definition.key(row);
    const send = () => this.sendScreened(acquirer, row, input as Input, screen);
    const find = () => findOr(acquirer, key, async () => (whenUnknown === 'resend' ? send() : undefined));
    const outcome = { reverse: () => findOrReverse(acquirer, key), resend: find, repeat: send, record: find };
    return record(services, row, await outcome[whenUnknown](), input);
  }

  /** Resolves a row after its lease expired. */
  async recover(services: AcquirerServices, row: Row): Promise<Result> {
    const { whenUnknown, record } = this.definition;
    return whenUnknown === 'record' ? record(services, row, undefined) : this.resume(services, row);
  }

  private async sendScreened(acquirer: Acquirer, row: Row, input: Input, screen: Screening): Promise<OperationOutcome> {
    const { whenUnknown, key } = this.definition;
    let answer: OperationOutcome;
    const outcome = await screen(async () => {
      answer = await this.sendOrResolve(acquirer, row, input);
      return answer;
    });
    if (outcome === answer || whenUnknown !== 'resend') return outcome;
    // Another process may have sent the row: a refusal is recorded only if the acquirer never executes the key.
    return (await findOrReverse(acquirer, key(row))) ?? outcome;
  }

  private async sendOrResolve(acquirer: Acquirer, row: Row, input: Input): Promise<OperationOutcome> {
    const { whenUnknown, throwsWhenReversed, send } = this.definition;
    const key = this.definition.key(row);
    let answer: OperationOutcome;
    try {
      answer = await send(acquirer, key, row, input);
    } catch (error) {
      if (!(error instanceof NoAnswerError) || whenUnknown === 'resend' || whenUnknown === 'repeat') throw error;
      const shouldFind = whenUnknown === 'reverse' && error.mayHaveArrived;
      const outcome = shouldFind ? await findOrReverse(acquirer, key) : undefined;
      if (!outcome && throwsWhenReversed) throw error;
      return outcome;
    }
    // Another process may have taken this one for dead and reversed the key: then the refusal is not the bank's.
    const mayBeOwnReversal = answer?.approved === false && answer.kind === 'not_allowed';
    const isResolvable = whenUnknown === 'reverse' || whenUnknown === 'resend';
    return mayBeOwnReversal && isResolvable ? findOrReverse(acquirer, key) : answer;
  }
}

const unscreened: Screening = send => send();

/** Input of a card charge. */
export interface SealedCharge {
  card: SealedCard;
  details: ChargeDetails;
}

export const sendCharge = (
  acquirer: Acquirer,
  key: string,
  { capture, amount }: { capture: boolean; amount: Money },
  { card, details }: SealedCharge,
): Promise<AcquirerAnswer> =>
  capture ? acquirer.charge(key, card, amount, details) : acquirer.authorize(key, card, amount, details);

export async function reverse(acquirer: Acquirer, key: string): Promise<undefined> {
  await acquirer.reverse(key);
}

/** Looks up a key that may have been sent. Reverses a key unknown to the acquirer permanently. */
const findOrReverse = (acquirer: Acquirer, key: string): Promise<OperationOutcome> =>
  findOr(acquirer, key, () => reverse(acquirer, key));

async function findOr(
  acquirer: Acquirer,
  key: string,
  otherwise: () => Promise<OperationOutcome>,
): Promise<OperationOutcome> {
  const found = await acquirer.find(key);
  if (!found.known) return otherwise();
  return found.reversed ? undefined : found.answer;
}
