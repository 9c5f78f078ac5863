/** Prices of subscriptions, compared with a second computation in many random histories. */
import { inAnyHistory } from '../../../harness/merchant/randomSubscriptions';
import { agreesWithReference, nothingIsLost } from '../../../harness/merchant/referenceHistory';

it('every charge, credit, coupon and extra agrees with the reference to the centavo, and nothing is lost', () => {
  const seen = { changes: 0, planned: 0, discounts: 0, courtesies: 0, credits: 0, covered: 0, sameDay: 0, returned: 0 };
  inAnyHistory(
    history => {
      const reference = agreesWithReference(history);
      nothingIsLost(reference, history);
      const { bills } = reference;
      seen.changes += bills.filter(({ replaced }) => replaced).length;
      seen.planned += history.states.filter(
        (s, i) => !s.pending_change && history.states[i - 1]?.pending_change,
      ).length;
      seen.discounts += bills.filter(({ discount }) => discount > 0n).length;
      seen.courtesies += bills.filter(({ extras }) => extras.some(({ amount }) => amount < 0n)).length;
      seen.credits += bills.filter(({ creditUsed }) => creditUsed > 0n).length;
      seen.covered += history.charges.filter(({ kind }) => kind === 'covered').length;
      seen.sameDay += bills.filter(({ day, replaced }) => replaced === day).length;
      seen.returned += reference.cleared > 0n ? 1 : 0;
    },
    // The release tier draws random seeds.
    { numRuns: 10_000, seed: 20_271_119 },
  );
  // Histories that never use them would prove nothing about them.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
});
