/**
 * Dry run of a fraud rule: it evaluates earlier charges in their order, and its counters change as they would have
 * changed then.
 */
import { addDays, dayOf } from '../../../workflows/calendar';
import { type Judgement, judge, remainsCounted } from '../../gateway/fraud/judge';
import { countryOf, type FraudFacts, type FraudRuleRecord } from '../../gateway/fraud/rule';
import { cardHash } from '../../gateway/fraud/screening';
import { ApiError, isRetryable } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { dayBounds } from '../../schema/time';
import { loadCharges, type PastCharge } from './rows';

const MAX_DAYS = 90;
const MAX_CHARGES = 10_000;
/** Small, because saving a rule waits for this dry run. */
const MAX_SAMPLED_CHARGES = 1000;

interface DryRunOutcome {
  evaluated: number;
  /** Newest first. */
  refused: PastCharge[];
}

export async function dryRun(
  context: Context,
  rule: FraudRuleRecord,
  { from, to }: { from?: string | undefined; to?: string | undefined } = {},
  max = MAX_CHARGES,
): Promise<DryRunOutcome> {
  const past = await loadCharges(context, readDays(from, to), max);
  // A disabled rule is evaluated as enabled.
  const enabledRule = { ...rule, enabled: true };
  const used = new Map<string, bigint>();
  const evaluated = past.reverse().filter(charge => {
    const { applies_to } = rule;
    return applies_to === 'both' || applies_to === (charge.is_renewal ? 'renewals' : 'charges');
  });
  const refused = evaluated.filter(charge => isRefused(judge([enabledRule], factsOf(context, charge)), charge, used));
  return { evaluated: evaluated.length, refused: refused.reverse() };
}

/** Warns if the rule would have refused every sampled charge. */
export async function warningOf(context: Context, rule: FraudRuleRecord): Promise<string | undefined> {
  const { evaluated, refused } = await dryRun(context, rule, {}, MAX_SAMPLED_CHARGES);
  return evaluated > 0 && refused.length === evaluated ? shareWarning(evaluated, evaluated) : undefined;
}

export function shareWarning(evaluated: number, refused: number): string | undefined {
  if (evaluated === 0 || refused * 2 <= evaluated) return undefined;
  return refused === evaluated
    ? `The rule would have refused all of the ${evaluated} evaluated charges`
    : `The rule would have refused more than half of the ${evaluated} evaluated charges`;
}

function isRefused({ refusedBy, counters }: Judgement, charge: PastCharge, used: Map<string, bigint>): boolean {
  const slots = counters.map(counter => {
    const key = JSON.stringify([counter.subject, counter.startMs]);
    return { ...counter, key, before: used.get(key) ?? 0n };
  });
  if (refusedBy.length > 0 || slots.some(({ before, used: added, allowed }) => before + added > allowed)) return true;
  const outcome = outcomeOf(charge);
  for (const { key, before, used: added, counts } of slots)
    if (remainsCounted(counts, outcome)) used.set(key, before + added);
  return false;
}

function outcomeOf({ status, error_code }: PastCharge): 'approved' | 'declined' | 'none' {
  if (status !== 'failed') return 'approved';
  return isRetryable(error_code) ? 'none' : 'declined';
}

/** Token numbers are deleted, so cards are identified by their masked number and expiration. */
function factsOf({ merchant_id, vault }: Context, charge: PastCharge): FraudFacts {
  const { card, fingerprint, metadata, is_renewal, subscription_id } = charge;
  const { card_number, expiration_month, expiration_year } = card;
  return {
    merchant_id,
    purpose: is_renewal ? 'renewals' : 'charges',
    at: charge.creation_date,
    amount: charge.amount,
    card: `${card_number} ${expiration_month} ${expiration_year}`,
    listed_card: fingerprint ? cardHash(vault, fingerprint) : undefined,
    card_number,
    device: charge.device_session_id,
    email: charge.email,
    address: charge.payer_address,
    customer_id: charge.customer_id,
    country: countryOf(card),
    metadata: subscription_id === null ? (metadata ?? {}) : undefined,
  };
}

function readDays(from: string | undefined, to: string | undefined): { gte: Date; lt: Date } {
  const last = to ?? dayOf(Date.now());
  const first = from ?? addDays(last, 1 - MAX_DAYS);
  if (first < addDays(last, 1 - MAX_DAYS) || first > last)
    throw new ApiError('invalid_value', 'not_within_days_before', { field: 'from', max: MAX_DAYS });
  const [start, end] = [dayBounds(first), dayBounds(last)];
  if (!start || !end) throw new ApiError('invalid_value', 'not_day', { field: 'from' });
  return { gte: start.from, lt: end.until };
}
