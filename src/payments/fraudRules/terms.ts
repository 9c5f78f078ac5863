/** Parameters of each kind of fraud rule: validation and storage. */

import { visibleDigits } from '../../gateway/fraud/lists';
import type { RuleCondition, RuleKind, RuleParameters, RuleScope } from '../../gateway/fraud/rule';
import { cardHash } from '../../gateway/fraud/screening';
import { ApiError } from '../../platform/errors';
import { parseNetwork } from '../../platform/networks';
import { checkAll } from '../../schema/checkAll';
import type { Context } from '../../schema/operation/context';
import type { CreateFraudRule } from './fields';

type TermName = 'scope' | 'max' | 'minutes' | 'amount' | 'countries' | 'values' | 'key' | 'condition' | 'value';

interface KindTerms {
  required: readonly TermName[];
  scopes?: readonly RuleScope[];
  conditions?: readonly RuleCondition[];
}

const PAYERS = ['card', 'device', 'email', 'address', 'customer'] as const;
const COUNTS: KindTerms = { required: ['scope', 'max', 'minutes'], scopes: PAYERS };
const LISTS: KindTerms = { required: ['scope', 'values'], scopes: PAYERS };

export const KIND_TERMS: Readonly<Record<RuleKind, KindTerms>> = {
  attempts: COUNTS,
  declines: COUNTS,
  amount: { required: ['scope', 'amount'], scopes: ['transaction', 'card', 'customer'] },
  country: { required: ['countries', 'condition'], conditions: ['in', 'not_in'] },
  allowed: LISTS,
  blocked: LISTS,
  metadata: {
    required: ['key', 'condition'],
    conditions: ['equals', 'not_equals', 'present', 'greater_than'],
  },
};

/** Throws if a parameter is missing or invalid; drops parameters that the kind does not use. */
export async function readParameters(
  context: Context,
  rule: CreateFraudRule,
  earlier: RuleParameters = {},
): Promise<RuleParameters> {
  const { required, scopes, conditions } = KIND_TERMS[rule.kind];
  const needsValue = rule.kind === 'metadata' && rule.condition !== 'present';
  const names = needsValue ? [...required, 'value' as const] : required;
  checkAll(
    ...names.map(name => () => requireValue(rule, name)),
    () => requireOneOf('scope', rule.scope, scopes),
    () => requireOneOf('condition', rule.condition, conditions),
    () => requireNumber(rule),
  );
  const values = rule.values && [...new Set(rule.values.map(value => readValue(rule.scope, value)))];
  const terms = { ...rule, values, amount: rule.amount === undefined ? undefined : Number(rule.amount) };
  const parameters: RuleParameters = Object.fromEntries(names.map(name => [name, terms[name]]));
  if (!names.includes('values') || !values) return parameters;
  if (rule.scope === 'customer') await rejectUnknownCustomers(context, values);
  return rule.scope === 'card' ? { ...parameters, cards: await hashCards(context, values, earlier.cards) } : parameters;
}

function requireValue({ kind, ...rule }: CreateFraudRule, name: TermName): void {
  const value = rule[name];
  if (value === undefined || value === '') throw new ApiError('malformed', 'required_for_rule', { field: name, kind });
  if (Array.isArray(value) && value.length === 0) throw new ApiError('invalid_value', 'is_empty', { field: name });
}

function requireOneOf(field: string, word: string | undefined, words: readonly string[] | undefined): void {
  if (words && word !== undefined && !words.includes(word))
    throw new ApiError('invalid_value', 'not_one_of', { field, values: words.join(', ') });
}

function requireNumber({ kind, condition, value = '' }: CreateFraudRule): void {
  if (kind === 'metadata' && condition === 'greater_than' && !/^-?\d{1,30}(\.\d{1,30})?$/.test(value))
    throw new ApiError('invalid_value', 'not_comparable_number', { field: 'value' });
}

const refuse = (problem: WrongValue): never => {
  throw new ApiError('invalid_value', problem, { field: 'values' });
};

type WrongValue =
  | 'empty_list_value'
  | 'not_email_list'
  | 'not_network_list'
  | 'not_card_list'
  | 'unknown_customer_listed'
  | 'unknown_card_listed';

/** Normalizes a listed value. */
function readValue(scope: RuleScope | undefined, value: string): string {
  if (value === '') return refuse('empty_list_value');
  if (scope === 'email') {
    const text = value.toLowerCase();
    return /^[^\s@]*@[^\s@]+\.[^\s@]+$/.test(text) ? text : refuse('not_email_list');
  }
  if (scope === 'address') return parseNetwork(value) ? value : refuse('not_network_list');
  if (scope === 'card')
    return visibleDigits(value)?.replace(' ', 'XXXXXX') ?? (isCardId(value) ? value : refuse('not_card_list'));
  return value;
}

const isCardId = (value: string): boolean => /^k[a-z0-9]{19}$/.test(value);

async function rejectUnknownCustomers({ db, merchant_id }: Context, ids: string[]): Promise<void> {
  const known = await db.customer.count({ where: { merchant_id, id: { in: ids } } });
  if (known < ids.length) refuse('unknown_customer_listed');
}

/** Keeps the hashes of cards that were deleted after they were listed. */
async function hashCards(
  { db, merchant_id, vault }: Context,
  values: readonly string[],
  earlier: Record<string, string> = {},
): Promise<Record<string, string>> {
  const ids = values.filter(value => isCardId(value) && !(value in earlier));
  const cards = await db.card.findMany({
    where: { merchant_id, id: { in: ids }, fingerprint: { not: null } },
    select: { id: true, fingerprint: true },
  });
  if (cards.length < ids.length) refuse('unknown_card_listed');
  const kept = Object.entries(earlier).filter(([id]) => values.includes(id));
  return Object.fromEntries([
    ...kept,
    ...cards.map(({ id, fingerprint }) => [id, cardHash(vault, fingerprint ?? new Uint8Array())] as const),
  ]);
}
