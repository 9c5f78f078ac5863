/** The commands of `npm run operator`, which call the same functions as the operations of the API. */
import { OPERATOR_ROLES } from '../context';
import type { Database } from '../database/connection';
import { approveLiveRequest, refuseLiveRequest, returnLiveRequest } from '../liveRequests/decide';
import { LIVE_REQUEST_STATUSES, LiveRequest } from '../liveRequests/fields';
import { listLiveRequests } from '../liveRequests/rows';
import { COMMAND_LINE } from '../merchants/accounts';
import { newKey } from '../merchants/keys';
import { resumeMerchant, suspendMerchant } from '../merchants/suspension';
import { ApiError } from '../platform/errors';
import { newId } from '../platform/identifiers';
import type { Money } from '../platform/money';
import { MoneyScalar } from '../schema/scalars';
import type { Class } from '../schema/shapes';
import { MerchantAccount, MerchantDetails, OperatorKey, PercentScalar } from './fields';
import { createOperatorKey, listOperatorKeys, revokeOperatorKey } from './keys';
import { changeCosts, findMerchant, listMerchants } from './merchants';

const MAX_LISTED = 1000;

export interface OperatorCommandInput {
  db: Database;
  secret: string;
  id: string;
  /** Those that the command needs are there. */
  options: Readonly<Record<string, string | undefined>>;
}

interface CommandResult {
  /** How it is shown. */
  type: Class;
  records: object | object[];
}

export interface OperatorCommand {
  about: string;
  /** What stands after its name. */
  takesId?: boolean;
  needs?: readonly string[];
  takes?: readonly string[];
  /** The fields that a table shows. */
  columns?: readonly string[];
  run(input: OperatorCommandInput): Promise<CommandResult>;
}

/** One of the words that there are. */
function oneOf<const T extends readonly string[]>(
  name: string,
  text: string | undefined,
  words: T,
): T[number] | undefined {
  if (text === undefined || words.includes(text)) return text;
  throw new ApiError('invalid_value', `--${name} must be one of ${words.join(', ')}`);
}

/** Refusals of a scalar do not name what they are about. */
function parsed<T>(name: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof ApiError ? new ApiError(error.kind, `--${name} ${error.message}`) : error;
  }
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
    about: 'lists merchants of both environments, newest first',
    takes: ['status', 'environment', 'find'],
    columns: MERCHANT_COLUMNS,
    run: async ({ db, options: { find, ...options } }) => {
      const status = oneOf('status', options.status, ['active', 'suspended']);
      const environment = oneOf('environment', options.environment, ['sandbox', 'production']);
      const filters = { ...(find && { find }), ...(status && { status }), ...(environment && { environment }) };
      return { type: MerchantAccount, records: await listMerchants(db, filters, { take: MAX_LISTED }) };
    },
  },
  merchant: { about: 'shows one merchant', takesId: true, run: ({ db, id }) => merchant(db, id) },
  requests: {
    about: 'lists requests to go live, newest first',
    takes: ['status'],
    columns: REQUEST_COLUMNS,
    run: async ({ db, options }) => {
      const status = oneOf('status', options.status, LIVE_REQUEST_STATUSES);
      const page = { ...(status && { status }), offset: 0, limit: MAX_LISTED };
      return { type: LiveRequest, records: await listLiveRequests(db, page, { take: MAX_LISTED }) };
    },
  },
  approve: {
    about: 'approves a request to go live, and opens the merchant of production',
    takesId: true,
    run: async ({ db, id }) => ({
      type: LiveRequest,
      records: await approveLiveRequest(db, COMMAND_LINE, id, newId('merchant')),
    }),
  },
  refuse: {
    about: 'refuses a request to go live',
    takesId: true,
    needs: ['reason'],
    run: async ({ db, id, options: { reason = '' } }) => ({
      type: LiveRequest,
      records: await refuseLiveRequest(db, COMMAND_LINE, id, reason),
    }),
  },
  return: {
    about: 'asks the merchant for more about its request to go live',
    takesId: true,
    needs: ['reason'],
    run: async ({ db, id, options: { reason = '' } }) => ({
      type: LiveRequest,
      records: await returnLiveRequest(db, COMMAND_LINE, id, reason),
    }),
  },
  suspend: {
    about: 'suspends a merchant',
    takesId: true,
    needs: ['reason'],
    run: async ({ db, id, options: { reason = '' } }) => {
      await suspendMerchant(db, COMMAND_LINE, id, reason);
      return merchant(db, id);
    },
  },
  resume: {
    about: 'lifts the suspension of a merchant',
    takesId: true,
    run: async ({ db, id }) => {
      await resumeMerchant(db, COMMAND_LINE, id);
      return merchant(db, id);
    },
  },
  costs: {
    about: 'changes what charges cost a merchant: a rate in percent and a fixed part in pesos',
    takesId: true,
    needs: ['rate', 'fixed'],
    run: async ({ db, id, options }) => {
      const rate = parsed('rate', () => PercentScalar.parseValue(options.rate));
      const fixed: Money = parsed('fixed', () => MoneyScalar.parseValue(options.fixed));
      await changeCosts(db, COMMAND_LINE, { id, rate, fixed });
      return merchant(db, id);
    },
  },
  'key create': {
    about: 'makes a key of an operator, which is printed only here',
    needs: ['role'],
    takes: ['name'],
    run: async ({ db, secret, options }) => {
      const role = oneOf('role', options.role, OPERATOR_ROLES) ?? 'read';
      const { name = role } = options;
      const made = { id: newId('key'), key: newKey('operator'), secret };
      return { type: OperatorKey, records: await createOperatorKey(db, COMMAND_LINE, { name, role }, made) };
    },
  },
  'key list': {
    about: 'lists the keys of operators',
    columns: KEY_COLUMNS,
    run: async ({ db }) => ({ type: OperatorKey, records: await listOperatorKeys(db) }),
  },
  'key revoke': {
    about: 'revokes a key of an operator at once',
    takesId: true,
    run: async ({ db, id }) => ({ type: OperatorKey, records: await revokeOperatorKey(db, COMMAND_LINE, id) }),
  },
};
