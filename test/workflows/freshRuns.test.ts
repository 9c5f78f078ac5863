import { STEPS_PER_RUN, stepsOfFirstRun } from '../../workflows/subscriptionContract';

it('a sixth of the subscriptions that began together begin a new run in each month', () => {
  const ids = Array.from({ length: 36 }, (_, digit) => `s000000000000000000${digit.toString(36)}`);
  const first = Math.min(...ids.map(stepsOfFirstRun));
  for (let month = first; month < first + 3 * STEPS_PER_RUN; month++)
    expect(ids.filter(id => (month - stepsOfFirstRun(id)) % STEPS_PER_RUN === 0)).toHaveLength(6);
});
