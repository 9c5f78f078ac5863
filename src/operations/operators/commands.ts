/** The commands of `npm run operator`, which call the same functions as the operations of the API. */
import { approveLiveRequest, refuseLiveRequest, returnLiveRequest } from '../../accounts/activation/decide';
import { LIVE_REQUEST_STATUSES, LiveRequest } from '../../accounts/activation/fields';
import { listLiveRequests, liveRequestsWhere } from '../../accounts/activation/rows';
import { COMMAND_LINE } from '../../accounts/merchants/accounts';
import { newKey } from '../../accounts/merchants/keys';
import { resumeMerchant, suspendMerchant } from '../../accounts/merchants/suspension';
import { createPayout } from '../../payments/payouts/create';
import { Payout } from '../../payments/payouts/fields';
import { loadPayout } from '../../payments/payouts/view';
import type { Database } from '../../platform/database/connection';
import { ApiError } from '../../platform/errors';
import { newId } from '../../platform/identifiers';
import type { Money } from '../../platform/money';
import { OPERATOR_ROLES } from '../../schema/operation/context';
import { MoneyScalar, PercentScalar } from '../../schema/scalars';
import { bulkCommands } from './bulk/commands';
import { type CommandResult, MAX_LISTED, type OperatorCommand, oneOf } from './command';
import { MerchantAccount, MerchantDetails, OperatorKey } from './fields';
import { holdCommands } from './holds/commands';
import { incidentCommands } from './incidents/commands';
import { createOperatorKey, listOperatorKeys, revokeOperatorKey } from './keys';
import { changeCosts, changeReserve, findMerchant } from './merchants';
import { listMerchants, merchantConditions } from './rows';
import { settlementCommands } from './settlementCommands';

/** Adds the option's name to the errors of a scalar. */
function parsed<T>(name: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof ApiError ? error.as(error.kind, `--${name}`) : error;
  }
}

function positiveMoney(text: string | undefined): Money {
  const amount: Money = MoneyScalar.parseValue(text);
  if (amount <= 0n) throw new ApiError('invalid_value', 'not_positive');
  return amount;
}

const merchant = async (db: Database, id: string): Promise<CommandResult> => ({
  type: MerchantDetails,
  records: await findMerchant(db, id),
});

const MERCHANT_COLUMNS = [
  'id',
  'environment',
  'status',
  'name',
  'email',
  'cost_rate',
  'cost_fixed',
  'linked_merchant_id',
];
const REQUEST_COLUMNS = [
  'id',
  'merchant_id',
  'status',
  'business.legal_name',
  'business.nit',
  'submitted_at',
  'reason',
];
const KEY_COLUMNS = ['id', 'role', 'name', 'masked', 'creation_date'];

export const commands: Readonly<Record<string, OperatorCommand>> = {
  merchants: {
    summary: 'Lists merchants of both environments, newest first',
    optional: ['status', 'environment', 'find'],
    columns: MERCHANT_COLUMNS,
    run: async ({ db, options: { find, ...options } }) => {
      const status = oneOf('status', options.status, ['active', 'suspended']);
      const environment = oneOf('environment', options.environment, ['sandbox', 'production']);
      const filters = { ...(find && { find }), ...(status && { status }), ...(environment && { environment }) };
      return {
        type: MerchantAccount,
        records: await listMerchants(db, merchantConditions(filters), { take: MAX_LISTED }),
      };
    },
  },
  merchant: { summary: 'Shows a merchant', hasId: true, run: ({ db, id }) => merchant(db, id) },
  requests: {
    summary: 'Lists requests for production access, newest first',
    optional: ['status'],
    columns: REQUEST_COLUMNS,
    run: async ({ db, options }) => {
      const status = oneOf('status', options.status, LIVE_REQUEST_STATUSES);
      const page = { ...(status && { status }), offset: 0, limit: MAX_LISTED };
      return { type: LiveRequest, records: await listLiveRequests(db, liveRequestsWhere(page), { take: MAX_LISTED }) };
    },
  },
  approve: {
    summary: 'Approves a request for production access and creates the production merchant',
    hasId: true,
    optional: ['reason'],
    run: async ({ db, id, options: { reason } }) => ({
      type: LiveRequest,
      records: await approveLiveRequest(db, COMMAND_LINE, id, newId('merchant'), reason),
    }),
  },
  refuse: {
    summary: 'Refuses a request for production access',
    hasId: true,
    required: ['reason'],
    run: async ({ db, id, options: { reason = '' } }) => ({
      type: LiveRequest,
      records: await refuseLiveRequest(db, COMMAND_LINE, id, reason),
    }),
  },
  return: {
    summary: 'Returns a request for production access to the merchant for changes',
    hasId: true,
    required: ['reason'],
    run: async ({ db, id, options: { reason = '' } }) => ({
      type: LiveRequest,
      records: await returnLiveRequest(db, COMMAND_LINE, id, reason),
    }),
  },
  suspend: {
    summary: 'Suspends a merchant',
    hasId: true,
    required: ['reason'],
    run: async ({ db, id, options: { reason = '' } }) => {
      await suspendMerchant(db, COMMAND_LINE, id, reason);
      return merchant(db, id);
    },
  },
  resume: {
    summary: 'Lifts the suspension of a merchant',
    hasId: true,
    optional: ['reason'],
    run: async ({ db, id, options: { reason } }) => {
      await resumeMerchant(db, COMMAND_LINE, id, reason);
      return merchant(db, id);
    },
  },
  costs: {
    summary: 'Changes the fees of a merchant: a rate in percent and a fixed amount in pesos',
    hasId: true,
    required: ['rate', 'fixed'],
    optional: ['reason'],
    run: async ({ db, id, options: { reason, ...options } }) => {
      const rate = parsed('rate', () => PercentScalar.parseValue(options.rate));
      const fixed: Money = parsed('fixed', () => MoneyScalar.parseValue(options.fixed));
      await changeCosts(db, COMMAND_LINE, { id, rate, fixed, ...(reason && { reason }) });
      return merchant(db, id);
    },
  },
  reserve: {
    summary: 'Changes the part of the balance of a merchant that payouts leave',
    hasId: true,
    required: ['amount', 'reason'],
    run: async ({ db, id, options: { amount, reason = '' } }) => {
      const reserve: Money = parsed('amount', () => MoneyScalar.parseValue(amount));
      await changeReserve(db, COMMAND_LINE, { id, amount: reserve, reason });
      return merchant(db, id);
    },
  },
  ...settlementCommands,
  ...incidentCommands,
  ...holdCommands,
  ...bulkCommands,
  pay: {
    summary: 'Pays out to the bank account of a merchant',
    hasId: true,
    required: ['amount'],
    optional: ['description', 'reason'],
    run: async ({ db, id, options: { amount, description, reason } }) => {
      await findMerchant(db, id);
      const texts = { ...(description && { description }), ...(reason && { reason }) };
      const payout = { amount: parsed('amount', () => positiveMoney(amount)), ...texts };
      const row = await createPayout({ ...COMMAND_LINE, db, newId }, id, payout);
      return { type: Payout, records: await loadPayout(db, row) };
    },
  },
  'key create': {
    summary: 'Creates an operator key and prints it; it is not shown again',
    required: ['role'],
    optional: ['name'],
    run: async ({ db, secret, options }) => {
      const role = oneOf('role', options.role, OPERATOR_ROLES) ?? 'read';
      const { name = role } = options;
      const created = { id: newId('key'), key: newKey('operator'), secret };
      return { type: OperatorKey, records: await createOperatorKey(db, COMMAND_LINE, { name, role }, created) };
    },
  },
  'key list': {
    summary: 'Lists operator keys',
    columns: KEY_COLUMNS,
    run: async ({ db }) => ({ type: OperatorKey, records: await listOperatorKeys(db) }),
  },
  'key revoke': {
    summary: 'Revokes an operator key immediately',
    hasId: true,
    run: async ({ db, id }) => ({ type: OperatorKey, records: await revokeOperatorKey(db, COMMAND_LINE, id) }),
  },
};
