/**
 * Starts the longest files first, so that none of them is left to run alone at the end. Jest itself knows durations only
 * where the tests have run before.
 */
const { default: TestSequencer } = require('@jest/test-sequencer');

/** In this order, in which those that mostly compute take turns with those that mostly wait. */
const SLOW = [
  'upgrade/',
  'embedded/startAndStop',
  'subscriptions/outages',
  'embedded/startupConditions',
  'subscriptions/clock',
  'http/pages/once',
  'subscriptions/races',
  'programs/programs',
  'subscriptions/temporalWiped',
  'audit/',
  'npmRunCheck',
  'frontDoor/',
  'http/pages/',
  'webhooks/',
  'subscriptions/',
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
