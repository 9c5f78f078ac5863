/**
 * Starts the longest files first, so that none of them runs alone at the end. Jest itself knows durations only from
 * earlier runs on the same machine.
 */
const { default: TestSequencer } = require('@jest/test-sequencer');

/** Files and folders by their usual duration, alternating between files that compute and files that wait. */
const SLOW = [
  'release/',
  'local/startAndStop',
  'web/dashboard/moneyLooks',
  'payments/payouts/payouts',
  'accounts/merchants/command',
  'api/rest/generated',
  'platform/limits/declines',
  'tour',
  'api/graphql/streams',
  'payments/charges/pendingPaymentWorkflow',
  'payments/settlements/mornings',
  'web/dashboard/',
  'operations/operators/holds',
  'billing/subscriptions/outages',
  'workflows/replay',
  'operations/',
  'programs/',
  'billing/subscriptions/',
  'web/',
  'notifications/',
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
