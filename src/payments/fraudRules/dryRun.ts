/**
 * What a rule would have done: earlier charges are put before it in their order, and what it counts is counted as it
 * would have been.
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
/** For the warning of a rule that is stored, which must not take long. */
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
  // One that is switched off is tried as if it were not.
  const tried = { ...rule, enabled: true };
  const used = new Map<string, bigint>();
  const asked = past.reverse().filter(charge => {
    const { applies_to } = rule;
    return applies_to === 'both' || applies_to === (charge.is_renewal ? 'renewals' : 'charges');
  });
  const refused = asked.filter(charge => isRefused(judge([tried], factsOf(context, charge)), charge, used));
  return { evaluated: asked.length, refused: refused.reverse() };
}

/** Of a rule that is stored: whether it refuses everything. */
export async function warningOf(context: Context, rule: FraudRuleRecord): Promise<string | undefined> {
  const { evaluated, refused } = await dryRun(context, rule, {}, MAX_SAMPLED_CHARGES);
  return evaluated > 0 && refused.length === evaluated ? warningAbout(evaluated, evaluated) : undefined;
}

export function warningAbout(evaluated: number, refused: number): string | undefined {
  if (evaluated === 0 || refused * 2 <= evaluated) return undefined;
  return refused === evaluated
    ? `The rule would have refused every one of the ${evaluated} charges that it was tried on`
    : `The rule would have refused more than half of the ${evaluated} charges that it was tried on`;
}

function isRefused({ refusedBy, counters }: Judgement, charge: PastCharge, used: Map<string, bigint>): boolean {
  const places = counters.map(counter => {
    const key = JSON.stringify([counter.subject, counter.startMs]);
    return { ...counter, key, before: used.get(key) ?? 0n };
  });
  if (refusedBy.length > 0 || places.some(({ before, used: more, allowed }) => before + more > allowed)) return true;
  const outcome = outcomeOf(charge);
  for (const { key, before, used: more, counts } of places)
    if (remainsCounted(counts, outcome)) used.set(key, before + more);
  return false;
}

function outcomeOf({ status, error_code }: PastCharge): 'approved' | 'declined' | 'none' {
  if (status !== 'failed') return 'approved';
  return isRetryable(error_code) ? 'none' : 'declined';
}

/** Numbers of tokens are not kept, so cards are told apart by what is shown of them. */
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
