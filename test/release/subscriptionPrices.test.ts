/** A million random histories of subscriptions, priced a second time. */
import { inAnyHistory } from '../harness/merchant/randomSubscriptions';
import { agreesWithReference, nothingIsLost } from '../harness/merchant/referenceHistory';

const BATCHES = 50;
const HISTORIES = 1_000_000;

// Each batch prints its seed if it fails.
it.each(Array.from({ length: BATCHES }, (_, i) => i + 1))('batch %i agrees with the reference', () => {
  inAnyHistory(history => nothingIsLost(agreesWithReference(history), history), { numRuns: HISTORIES / BATCHES });
});
