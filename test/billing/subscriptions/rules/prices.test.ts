/** What a subscription costs, compared with a second computation in many random histories. */
import { inAnyHistory } from '../../../harness/merchant/randomSubscriptions';
import { agreesWithReference } from '../../../harness/merchant/referenceHistory';

it('every charge, credit, coupon and extra agrees to the centavo with the reference, in any history', () => {
  inAnyHistory(
    history => {
      agreesWithReference(history);
    },
    { numRuns: 10_000 },
  );
});
