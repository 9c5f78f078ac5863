/** What became of a request to the acquirer. Nothing is assumed: where no answer came it is asked, and what it does not know is undone for good. */
import { type Acquirer, type AcquirerAnswer as Answer, NoAnswerError } from './port';

/** To a request that nobody has sent before. Undefined: nothing was done, and nothing ever will be. Throws while that cannot be known. */
export async function sendOrResolve(
  acquirer: Acquirer,
  key: string,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  let answer: Answer;
  try {
    answer = await ask();
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return error.sent ? findOrReverse(acquirer, key) : undefined;
  }
  // A refusal may come from our own reversal, by somebody who took this one for dead: then it is no answer of the bank.
  return answer.approved || answer.kind !== 'not_allowed' ? answer : findOrReverse(acquirer, key);
}

/** To a request that somebody may have sent. */
export async function findOrReverse(acquirer: Acquirer, key: string): Promise<Answer | undefined> {
  const found = await acquirer.find(key);
  if (!found.known) await acquirer.reverse(key);
  return found.known && !found.reversed ? found.outcome : undefined;
}
