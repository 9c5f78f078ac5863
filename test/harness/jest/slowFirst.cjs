/**
 * Starts the longest files first, so that none of them is left to run alone at the end. Jest itself knows durations only
 * where the tests have run before.
 */
const { default: TestSequencer } = require('@jest/test-sequencer');

/** In this order. Only worth a line when a file takes longer than most. */
const SLOW = [
  'embedded/startAndStop',
  'embedded/startupConditions',
  'embedded/stopping',
  'embedded/surroundings',
  'subscriptions/outages',
  'subscriptions/torture',
  'torture',
  'subscriptions/clock',
  'subscriptions/races',
  'programs/programs',
  'http/pages/',
  'audit/',
  'subscriptions/',
  'npmRunCheck',
  'webhooks/',
];

const rank = ({ path }) => {
  const index = SLOW.findIndex(name => path.includes(`/test/${name}`));
  return index === -1 ? SLOW.length : index;
};

module.exports = class SlowFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
};
