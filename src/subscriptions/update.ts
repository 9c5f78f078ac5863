/** What a merchant wants of a subscription: true at once, whether Temporal is there or not. Its workflow is nudged. */
import { Prisma } from '../../prisma/generated/client';
import { refusal } from '../../workflows/billing';
import { addDays, dayOf } from '../../workflows/calendar';
import type { Change, Reason } from '../../workflows/state';
import { verify } from '../cards/verify';
import type { Context } from '../context';
import type { Database } from '../database/connection';
import { ApiError } from '../platform/errors';
import { letGoOfToken } from '../tokens/rows';
import { changedBy } from './billing/applyEvent';
import { moving, write } from './billing/updateRows';
import type { UpdateSubscription } from './fields';
import { clockNow, reload, type SubscriptionRow, stateOf, subscriptionById } from './rows';
import { findSource, holding, type Source, wantedSource } from './source';

const LONGEST_TRIAL_DAYS = 730;

export function refuseLongTrial(trial_end_date: string | undefined, now: number): void {
  if (trial_end_date !== undefined && trial_end_date > addDays(dayOf(now), LONGEST_TRIAL_DAYS))
    throw new ApiError('invalid_value', `trial_end_date is more than ${LONGEST_TRIAL_DAYS} days ahead`);
}

export async function updateSubscription(
  context: Context,
  found: SubscriptionRow,
  { cancel_at_period_end, trial_end_date, ...asked }: UpdateSubscription,
): Promise<SubscriptionRow> {
  const wanted = wantedSource(asked);
  refuseLongTrial(trial_end_date, clockNow(found));
  const change: Change = {
    ...(cancel_at_period_end === undefined ? {} : { cancel_at_period_end }),
    // Clients send back what they were shown.
    ...(trial_end_date === undefined || trial_end_date === found.trial_end_date ? {} : { trial_end_date }),
  };
  refuse(found, change);
  const source = wanted && (await newSource(context, found, wanted));
  return written(context, found, change, source).catch(error => {
    if (source?.token) return letGoOfToken(context, source.token, error);
    throw error;
  });
}

async function written(
  context: Context,
  found: SubscriptionRow,
  change: Change,
  source: Source | undefined,
): Promise<SubscriptionRow> {
  const whole = source ? { ...change, card_id: source.card.id } : change;
  for (let row = found; ; row = await reload(context.db, row.id)) {
    refuse(row, whole);
    const changed = changedBy(
      row,
      { type: 'change', at: clockNow(row), ...whole },
      { nudge: true, row: source ? { card: source.card, holds_card: source.holds_card } : {} },
    );
    if (changed.lines.length === 0) return row;
    if (source ? await writeSource(context, changed, source) : await write(context.db, changed))
      return { ...changed.after, version: row.version + 1 };
  }
}

function refuse(row: SubscriptionRow, change: Change): void {
  const reason = refusal(stateOf(row), change);
  if (reason) throw new ApiError('not_allowed', reason);
}

/** Refused by the acquirer, nothing changes. A saved card is looked at once more too. */
async function newSource(
  context: Context,
  row: SubscriptionRow,
  wanted: NonNullable<ReturnType<typeof wantedSource>>,
): Promise<Source> {
  const key = context.newId('card');
  const source = await findSource(context, row.customer_id, wanted, key, new Date(clockNow(row)));
  if (source.holds_card) return source;
  const { number_sealed, cvv2_sealed } = await context.db.card.findUniqueOrThrow({ where: { id: source.card.id } });
  if (!number_sealed) throw new ApiError('invalid_value', 'source_id is unknown or cannot be used here');
  await verify(context, key, { ...source.card, number_sealed, cvv2_sealed });
  return source;
}

/** The deletion of a saved card waits for this. */
async function writeSource({ db }: Context, changed: Parameters<typeof write>[1], source: Source): Promise<boolean> {
  const { id } = source.card;
  const rows = await db.$queryRaw<{ usable: boolean; moved: boolean }[]>`
    with usable as (select id from cards where id = ${id} and status = 'active' for share),
    ${moving([changed], source.holds_card ? Prisma.empty : Prisma.sql`and exists (select from usable)`)} ${holding(source, 'moved')}
    select exists (select from usable) as usable, exists (select from moved) as moved`;
  if (!source.holds_card && !rows[0]?.usable)
    throw new ApiError('invalid_value', 'source_id is unknown or cannot be used here');
  return rows[0]?.moved ?? false;
}

/** False for one that is not there or has ended already. */
export async function cancel(db: Database, id: string, reason: Reason): Promise<boolean> {
  for (;;) {
    const row = await subscriptionById(db, id);
    if (!row || row.status === 'new' || row.status === 'cancelled') return false;
    if (await write(db, changedBy(row, { type: 'cancel', reason }, { nudge: true }))) return true;
  }
}
