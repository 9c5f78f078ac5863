/**
 * Finds out the outcome of a request to the acquirer without assuming anything: if no answer came, the acquirer is
 * asked, and what it does not know is reversed for good.
 */
import { type Acquirer, type AcquirerAnswer, NoAnswerError } from './port';

/**
 * Sends a request that nobody has sent before. Undefined means that the acquirer did nothing and never will. Throws
 * while the outcome cannot be known.
 */
export async function sendOrResolve(
  acquirer: Acquirer,
  key: string,
  send: () => Promise<AcquirerAnswer>,
): Promise<AcquirerAnswer | undefined> {
  let answer: AcquirerAnswer;
  try {
    answer = await send();
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return error.mayHaveArrived ? findOrReverse(acquirer, key) : undefined;
  }
  // The refusal may be caused by our own reversal, if another process took this one for dead; then the bank has decided
  // nothing.
  return answer.approved || answer.kind !== 'not_allowed' ? answer : findOrReverse(acquirer, key);
}

/** The outcome of a request that may have been sent. Undefined means the same as above. */
export async function findOrReverse(acquirer: Acquirer, key: string): Promise<AcquirerAnswer | undefined> {
  const operation = await acquirer.find(key);
  if (!operation.known) await acquirer.reverse(key);
  return operation.known && !operation.reversed ? operation.answer : undefined;
}
