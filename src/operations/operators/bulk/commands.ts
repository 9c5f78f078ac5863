/** Commands for bulk actions. */
import { COMMAND_LINE } from '../../../accounts/merchants/accounts';
import { BOTH_ENVIRONMENTS } from '../../../platform/database/environments';
import { newId } from '../../../platform/identifiers';
import { type OperatorCommand, oneOf, pageOf, toSteps, wholeNumber } from '../command';
import { BULK_ACTIONS, BulkAction, type BulkActionName, BulkReport, DEFAULT_BULK_RATE, MAX_BULK_RATE } from './fields';
import { narrowBulk } from './rows';
import { findBulk, planBulk, readRefusals, startBulk, stopBulk } from './start';

const SUMMARIES: Readonly<Record<BulkActionName, string>> = {
  cancel: 'Cancels every subscription that a query finds',
  hold: 'Places a billing hold on every subscription that a query finds',
  release: 'Releases the billing hold of every subscription that a query finds',
  retry: 'Retries the unpaid period of every subscription that a query finds',
  ask_acquirer: 'Resolves the unknown outcome of every subscription that a query finds',
};

const start = (action: BulkActionName): OperatorCommand => ({
  summary: SUMMARIES[action],
  required: ['query', 'environment', 'reason'],
  optional: ['rate'],
  needsConfirmation: true,
  tables: { steps: ['step', 'text'], subscriptions: ['id'] },
  run: async ({ db, temporal, options, yes = false }) => {
    const environment = oneOf('environment', options.environment, BOTH_ENVIRONMENTS) ?? 'sandbox';
    const { query = '', reason = '' } = options;
    const rate = wholeNumber('rate', options.rate ?? `${DEFAULT_BULK_RATE}`, 1, MAX_BULK_RATE);
    const target = { action, environment, query, rate, reason };
    const { found, subscription_ids, steps } = await planBulk({ temporal }, target);
    const row = yes ? await startBulk({ db, temporal }, COMMAND_LINE, newId('bulk_action'), target) : undefined;
    const records = {
      ...{ done: yes, ...(row && { id: row.id }), found, reason, steps: toSteps(steps) },
      subscriptions: subscription_ids.map(id => ({ id })),
    };
    return { records, isDryRun: !yes };
  },
});

export const bulkCommands: Readonly<Record<string, OperatorCommand>> = {
  ...Object.fromEntries(BULK_ACTIONS.map(action => [`bulk ${action.replaceAll('_', '-')}`, start(action)])),
  'bulk list': {
    summary: 'Lists bulk actions, newest first',
    optional: ['limit', 'offset'],
    columns: ['id', 'environment', 'action', 'state', 'found', 'done', 'refused', 'creation_date', 'query', 'reason'],
    run: async ({ db, options }) => {
      const { limit: take, offset: skip } = pageOf(options);
      const rows = await db.bulkAction.findMany({ orderBy: [{ creation_date: 'desc' }, { id: 'desc' }], take, skip });
      return { type: BulkAction, records: rows.map(narrowBulk) };
    },
  },
  'bulk report': {
    summary: 'Shows a bulk action with its refusals',
    hasId: true,
    optional: ['limit', 'offset'],
    tables: { refusals: ['subscription_id', 'message'] },
    run: async ({ db, id, options }) => {
      const refusals = await readRefusals(db, id, pageOf(options));
      return { type: BulkReport, records: { ...(await findBulk(db, id)), refusals } };
    },
  },
  'bulk stop': {
    summary: 'Stops a bulk action; subscriptions on which it has acted stay changed',
    hasId: true,
    run: async ({ db, id }) => ({ type: BulkAction, records: await stopBulk(db, COMMAND_LINE, id) }),
  },
};
