/** Evaluates fraud rules on a payment. Pure functions, shared by live screening and dry runs on earlier charges. */
import { dayOf, startOfDay } from '../../../workflows/calendar';
import { networkOf } from '../../platform/limits/network';
import { listMatcher } from './lists';
import { appliesTo, type FraudFacts, type FraudRuleRecord, type RuleScope } from './rule';

/** A rule's limit on attempts, declines or amount within a time window. */
export interface RuleCounter {
  rule: string;
  counts: 'attempts' | 'declines' | 'amount';
  /** The value that the rule counts by, for example an e-mail address. */
  subject: string;
  startMs: number;
  durationMs: number;
  used: bigint;
  allowed: bigint;
}

export interface Judgement {
  /** Names of the rules that refuse the payment regardless of counters. */
  refusedBy: string[];
  /** The payment is refused if one of these limits is reached. */
  counters: RuleCounter[];
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A payment on an allow list is not refused by any other rule. */
export function judge(rules: readonly FraudRuleRecord[], facts: FraudFacts): Judgement {
  const active = rules.filter(rule => rule.enabled && appliesTo(rule, facts.purpose));
  if (active.some(rule => rule.kind === 'allowed' && isListed(rule, facts))) return { refusedBy: [], counters: [] };
  return {
    refusedBy: active.filter(rule => isRefused(rule, facts)).map(({ name }) => name),
    counters: active.flatMap(rule => counterOf(rule, facts) ?? []),
  };
}

/** Whether a payment stays counted after its outcome: a decline counts no amount, an approval no decline. */
export const remainsCounted = (counts: RuleCounter['counts'], outcome: 'approved' | 'declined' | 'none'): boolean =>
  outcome === 'approved' ? counts !== 'declines' : outcome === 'declined' && counts !== 'amount';

const isListed = ({ parameters }: FraudRuleRecord, facts: FraudFacts): boolean => listMatcher(parameters)(facts);

function isRefused(rule: FraudRuleRecord, facts: FraudFacts): boolean {
  const { kind, parameters } = rule;
  switch (kind) {
    case 'amount':
      return parameters.scope === 'transaction' && facts.amount > BigInt(parameters.amount ?? 0);
    case 'country':
      if (!facts.country) return false;
      return (parameters.condition === 'in') === (parameters.countries ?? []).includes(facts.country);
    case 'blocked':
      return isListed(rule, facts);
    case 'metadata':
      return facts.metadata !== undefined && metadataMatches(rule, facts.metadata);
    default:
      return false;
  }
}

/** A missing key equals no value. */
function metadataMatches(
  { parameters: { key = '', condition, value = '' } }: FraudRuleRecord,
  metadata: Record<string, string>,
): boolean {
  const found = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  if (condition === 'present') return found !== undefined;
  if (condition === 'equals') return found === value;
  if (condition === 'not_equals') return found !== value;
  return found !== undefined && found.trim() !== '' && Number(found) > Number(value);
}

function counterOf({ name, kind, parameters }: FraudRuleRecord, facts: FraudFacts): RuleCounter | undefined {
  const { scope = 'transaction', max = 0, minutes = 0, amount = 0 } = parameters;
  const subject = subjectOf(scope, facts);
  if (!subject) return undefined;
  const at = facts.at.getTime();
  if (kind === 'attempts' || kind === 'declines') {
    const durationMs = minutes * MINUTE_MS;
    const startMs = Math.floor(at / durationMs) * durationMs;
    return { rule: name, counts: kind, subject, startMs, durationMs, used: 1n, allowed: BigInt(max) };
  }
  if (kind !== 'amount' || facts.amount <= 0n) return undefined;
  const day = { startMs: startOfDay(dayOf(at)), durationMs: DAY_MS };
  return { rule: name, counts: 'amount', subject, ...day, used: facts.amount, allowed: BigInt(amount) };
}

function subjectOf(scope: RuleScope, facts: FraudFacts): string | undefined {
  const { card, device, email, address, customer_id } = facts;
  const subjects = { transaction: undefined, card, device, customer: customer_id };
  const subject =
    scope === 'email'
      ? email?.trim().toLowerCase()
      : scope === 'address'
        ? address && networkOf(address)
        : subjects[scope];
  return subject || undefined;
}
