/**
 * The protocol of every operation at the acquirer: a row under way is sent under its key, and the outcome is recorded
 * once. An outcome is never assumed.
 */
import type { Database } from '../../platform/database/connection';
import { type Acquirer, type AcquirerAnswer, NoAnswerError } from './port';

export interface AcquirerServices {
  db: Database;
  acquirer: Acquirer;
}

/** Undefined if the acquirer did nothing and never will, or confirmed without an authorization. */
type OperationOutcome = AcquirerAnswer | undefined;
/** Sends, or answers in place of the acquirer. */
type Screening = (send: () => Promise<OperationOutcome>) => Promise<OperationOutcome>;

interface OperationDefinition<Row extends { progress: string }, Input, Result> {
  /** Progress of a row that waits for its outcome; null if the row is written after the answer. */
  progress: Row['progress'] | null;
  /** Among rows of the same progress. */
  matches(row: Row): boolean;
  /** Who finds out the outcome if the process dies. Recovery does once the lease of the row has expired. */
  recoveredBy: 'lease' | 'subscription workflow' | 'payout workflow' | 'repeated request';
  /**
   * Handling of an unknown outcome:
   * - reverse: the acquirer is asked, and a key that it does not know is reversed for good.
   * - resend: the caller asks later, and a key that the acquirer does not know is sent again.
   * - repeat: the caller sends again without asking, because the acquirer answers a repeated key alike.
   * - record: `record` decides; it is called without an outcome. Recovery does not even ask.
   */
  whenUnknown: 'reverse' | 'resend' | 'repeat' | 'record';
  /** Nothing is recorded for a request that got no answer and was reversed: the caller gets the error. */
  throwsWhenReversed?: true;
  /** The idempotency key. */
  key(row: Row): string;
  send(acquirer: Acquirer, key: string, row: Row, input: Input): Promise<OperationOutcome>;
  /** Writes the outcome, unless another process has. `input` is absent if another process has sent the request. */
  record(services: AcquirerServices, row: Row, outcome: OperationOutcome, input?: Input): Promise<Result>;
}

export class AcquirerOperation<Row extends { progress: string }, Input = undefined, Result = Row> {
  constructor(readonly definition: OperationDefinition<Row, Input, Result>) {}

  /** For a row that this process has just prepared: nobody has sent it before. */
  async run(services: AcquirerServices, row: Row, input: Input, screen: Screening = unscreened): Promise<Result> {
    const outcome = await screen(() => this.sendOrResolve(services.acquirer, row, input));
    return this.definition.record(services, row, outcome, input);
  }

  /** For a row that was found: it may have been sent. Only `resend` and `repeat` need the input again. */
  async resume(services: AcquirerServices, row: Row, input?: Input, screen: Screening = unscreened): Promise<Result> {
    const { whenUnknown, record } = this.definition;
    const { acquirer } = services;
    const key = this.definition.key(row);
    const send = () => screen(() => this.sendOrResolve(acquirer, row, input as Input));
    const find = () => findOr(acquirer, key, async () => (whenUnknown === 'resend' ? send() : undefined));
    const outcome = { reverse: () => findOrReverse(acquirer, key), resend: find, repeat: send, record: find };
    return record(services, row, await outcome[whenUnknown](), input);
  }

  /** For a row whose lease has expired. */
  async recover(services: AcquirerServices, row: Row): Promise<Result> {
    const { whenUnknown, record } = this.definition;
    return whenUnknown === 'record' ? record(services, row, undefined) : this.resume(services, row);
  }

  private async sendOrResolve(acquirer: Acquirer, row: Row, input: Input): Promise<OperationOutcome> {
    const { whenUnknown, throwsWhenReversed, send } = this.definition;
    const key = this.definition.key(row);
    let answer: OperationOutcome;
    try {
      answer = await send(acquirer, key, row, input);
    } catch (error) {
      if (!(error instanceof NoAnswerError) || whenUnknown === 'resend' || whenUnknown === 'repeat') throw error;
      const isAsked = whenUnknown === 'reverse' && error.mayHaveArrived;
      const outcome = isAsked ? await findOrReverse(acquirer, key) : undefined;
      if (!outcome && throwsWhenReversed) throw error;
      return outcome;
    }
    // The refusal may be caused by our own reversal, if another process took this one for dead; then the bank has
    // decided nothing.
    const mayBeOurs = answer?.approved === false && answer.kind === 'not_allowed';
    return mayBeOurs && (whenUnknown === 'reverse' || whenUnknown === 'resend') ? findOrReverse(acquirer, key) : answer;
  }
}

const unscreened: Screening = send => send();

export async function reverse(acquirer: Acquirer, key: string): Promise<undefined> {
  await acquirer.reverse(key);
}

/** The outcome of a key that may have been sent. A key that the acquirer does not know is reversed for good. */
export const findOrReverse = (acquirer: Acquirer, key: string): Promise<OperationOutcome> =>
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
