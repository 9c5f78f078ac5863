/** Dry runs: evaluates a fraud rule on earlier charges, in order and with its counters. */
import { Prisma } from '../../../prisma/generated/client';
import { addDays, dayOf } from '../../../workflows/calendar';
import { type Judgement, judge, remainsCounted } from '../../gateway/fraud/judge';
import { countryOf, type FraudFacts, type FraudRuleRecord } from '../../gateway/fraud/rule';
import { cardHash } from '../../gateway/fraud/screening';
import { ApiError, isRetryable } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { dayBounds } from '../../schema/time';
import type { StoredCard, TransactionRow } from '../charges/rows';

const MAX_DAYS = 90;
const MAX_CHARGES = 10_000;
/** Small, because saving a rule waits for this dry run. */
const MAX_SAMPLED_CHARGES = 1000;

type PastColumns = 'id' | 'creation_date' | 'amount' | 'status' | 'error_code' | 'device_session_id' | 'customer_id';
type PastCharge = Pick<TransactionRow, PastColumns | 'payer_address' | 'metadata' | 'subscription_id'> & {
  card: StoredCard;
  email: string | null;
  fingerprint: Uint8Array | null;
  is_renewal: boolean;
};

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

/** Newest first. The first charge of a subscription is not a renewal. */
const loadCharges = (
  { db, merchant_id }: Context,
  { gte, lt }: { gte: Date; lt: Date },
  max: number,
): Promise<PastCharge[]> =>
  db.$queryRaw<PastCharge[]>(Prisma.sql`
    select t.id, t.creation_date, t.amount, t.status, t.error_code, t.device_session_id, t.customer_id, t.payer_address,
      t.metadata, t.subscription_id, t.card, coalesce(t.customer ->> 'email', customers.email) as email, cards.fingerprint,
      t.subscription_id is not null and s.creation_date is distinct from t.creation_date as is_renewal
    from (
      select * from transactions where merchant_id = ${merchant_id} and transaction_type = 'charge' and method = 'card'
        and card is not null and creation_date >= ${gte} and creation_date < ${lt}
      order by creation_date desc, id desc limit ${max}
    ) as t
    left join customers on customers.id = t.customer_id
    left join cards on cards.id = t.source_id
    left join subscriptions s on s.id = t.subscription_id
    order by t.creation_date desc, t.id desc`);
