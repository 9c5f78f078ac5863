/** Subscription rows with plan, customer and card, and their state for the billing rules. */
import { Prisma } from '../../../prisma/generated/client';
import type { Environment } from '../../../prisma/generated/enums';
import type { SubscriptionModel } from '../../../prisma/generated/models';
import { type CardRow, cardColumns } from '../../payments/cards/rows';
import type { Metadata } from '../../payments/metadata/metadata';
import { metadataList } from '../../payments/metadata/rows';
import { batchedById } from '../../platform/database/batch';
import type { Database } from '../../platform/database/connection';
import { equalsViaIndex, idIn } from '../../platform/database/rows';
import { type Conditions, slicedSql, toSql } from '../../schema/connections/rows';
import type { Slice } from '../../schema/connections/window';
import { COVERING_HOLD, type CoveringHold } from '../holds/rows';
import type { Discount, Extra, Invoice, PlannedChange, PlanTerms } from './rules/prices';
import { EXPIRED } from './rules/retries';
import type { BillingState, BillingStatus, CardRefusal, EndReason, OpenAttempt } from './rules/state';
import { readAmounts } from './storedAmounts';

type DerivedColumn = 'charge_date' | 'ended_at' | 'paused_from' | 'pending_plan_id' | 'pending_quantity';

export type SubscriptionRow = Omit<
  SubscriptionModel,
  'status' | 'card_refusal' | 'open' | 'reason' | 'metadata' | 'discount' | 'extras' | 'invoice' | DerivedColumn
> &
  PlanTerms & {
    status: BillingStatus;
    card_refusal: CardRefusal | null;
    open: OpenAttempt | null;
    reason: EndReason | null;
    pending_change: PlannedChange | null;
    discount: Discount | null;
    extras: Extra[];
    invoice: Invoice | null;
    environment: Environment;
    customer_status: string;
    requires_account: boolean;
    /** Kinds of e-mails that the payer gets. */
    payer_emails: string[];
    /** Reason for the merchant's suspension, or null. */
    suspension: string | null;
    hold: CoveringHold | null;
    /** Clock offset in seconds: the maximum of merchant, customer and subscription. */
    offset: number;
    card: CardRow;
    /** Time of the read by the database clock and by this process's monotonic clock. */
    read_at: Date;
    read_mark: number;
    metadata: Metadata | null;
  };

const SUBSCRIPTION_OWN_COLUMNS = Prisma.raw(
  Object.values(Prisma.SubscriptionScalarFieldEnum)
    .map(name => `s."${name}"`)
    .join(', '),
);
const CARD_JSON_PAIRS = Prisma.raw(cardColumns.map(name => `'${name}', k."${name}"`).join(', '));

/** The planned change of `subscriptions s` as BillingState has it; amounts are numbers. */
export const PENDING_CHANGE = Prisma.raw(`case when s.pending_plan_id is not null then (
    select jsonb_build_object('quantity', s.pending_quantity, 'terms', jsonb_build_object('plan_id', id, 'plan_name', name,
      'plan_iva', iva, 'amount', amount, 'repeat_every', repeat_every, 'repeat_unit', repeat_unit, 'retry_times', retry_times,
      'retry_schedule', retry_schedule, 'status_after_retry', status_after_retry))
    from plans where id = s.pending_plan_id) end as pending_change`);

/** Selected from `subscriptions s` with SUBSCRIPTION_JOINS. */
export const SUBSCRIPTION_COLUMNS = Prisma.sql`${SUBSCRIPTION_OWN_COLUMNS}, ${PENDING_CHANGE}, p.amount, p.name as plan_name, p.repeat_every, p.repeat_unit, p.retry_times, p.retry_schedule, p.status_after_retry,
  m.environment::text as environment, c.status as customer_status, c.requires_account, m.payer_emails,
  case when m.status = 'suspended' then coalesce(m.suspension_reason, '') end as suspension, ${COVERING_HOLD} as hold,
  greatest(m.clock_offset, c.clock_offset, s.clock_offset) as "offset", statement_timestamp() as read_at, jsonb_build_object(${CARD_JSON_PAIRS}) as card,
  p.iva as plan_iva`;
export const SUBSCRIPTION_JOINS = Prisma.sql`join plans p on p.id ${equalsViaIndex('s.plan_id')} join merchants m on m.id ${equalsViaIndex('s.merchant_id')}
  join customers c on c.id ${equalsViaIndex('s.customer_id')} join cards k on k.id ${equalsViaIndex('s.card_id')}`;

/** Does not check the merchant, and includes invisible subscriptions. */
export const subscriptionById = batchedById(async (db, ids: readonly string[]) =>
  parseRows(
    await db.$queryRaw<SubscriptionRow[]>`
      select ${SUBSCRIPTION_COLUMNS} from subscriptions s ${SUBSCRIPTION_JOINS} where s.id ${idIn(ids)}`,
  ),
);

/** Locks a customer's open subscriptions in ID order until the transaction ends. */
export const lockLiveSubscriptions = async (
  tx: Prisma.TransactionClient,
  customer_id: string,
): Promise<SubscriptionRow[]> =>
  parseRows(
    await tx.$queryRaw<SubscriptionRow[]>`
      select ${SUBSCRIPTION_COLUMNS} from subscriptions s ${SUBSCRIPTION_JOINS}
      where s.customer_id = ${customer_id} and s.status not in ('new', 'cancelled') order by s.id for update of s`,
  );

/** Locks the unpaid subscriptions that are not charged because this card has expired. */
export const lockWaitingForRenewal = async (
  tx: Prisma.TransactionClient,
  card_id: string,
): Promise<SubscriptionRow[]> =>
  parseRows(
    await tx.$queryRaw<SubscriptionRow[]>`
      select ${SUBSCRIPTION_COLUMNS} from subscriptions s ${SUBSCRIPTION_JOINS}
      where s.card_id = ${card_id} and s.status in ('past_due', 'unpaid') and s.card_refusal ->> 'until' is null
        and s.card_refusal ->> 'error_code' = ${String(EXPIRED)} order by s.id for update of s`,
  );

/** Dates in JSON are text. */
export const parseRows = (rows: Omit<SubscriptionRow, 'read_mark'>[]): SubscriptionRow[] => {
  const read_mark = performance.now();
  return rows.map(row => ({
    ...row,
    ...readAmounts(row),
    read_mark,
    card: { ...row.card, creation_date: new Date(row.card.creation_date) },
  }));
};

/** Returns undefined during the first charge, while the subscription belongs to the request that creates it. */
export async function findVisible(db: Database, id: string): Promise<SubscriptionRow | undefined> {
  const row = await subscriptionById(db, id);
  return row?.status === 'new' ? undefined : row;
}

export async function reloadSubscription(db: Database, id: string): Promise<SubscriptionRow> {
  const row = await subscriptionById(db, id);
  if (!row) throw new Error(`billing: subscription ${id} not found`);
  return row;
}

/** Columns that the billing rules read. */
export type BilledColumns = Pick<SubscriptionRow, Exclude<keyof BillingState, 'terms'> | keyof PlanTerms>;

export const stateOf = (row: BilledColumns): BillingState => ({
  id: row.id,
  terms: {
    plan_id: row.plan_id,
    plan_name: row.plan_name,
    plan_iva: row.plan_iva,
    amount: row.amount,
    repeat_every: row.repeat_every,
    repeat_unit: row.repeat_unit,
    retry_times: row.retry_times,
    retry_schedule: row.retry_schedule,
    status_after_retry: row.status_after_retry,
  },
  card_id: row.card_id,
  first_charge_day: row.first_charge_day,
  anchor_period: row.anchor_period,
  trial_end_date: row.trial_end_date,
  status: row.status,
  cancel_at_period_end: row.cancel_at_period_end,
  current_period_number: row.current_period_number,
  due_at: row.due_at.getTime(),
  attempts: row.attempts,
  retries_left: row.retries_left,
  try_now: row.try_now,
  card_refusal: row.card_refusal,
  open: row.open,
  reason: row.reason,
  is_paused: row.is_paused,
  resume_date: row.resume_date,
  quantity: row.quantity,
  pending_change: row.pending_change,
  credit_balance: row.credit_balance,
  discount: row.discount,
  extras: row.extras,
  invoice: row.invoice,
});

/** The current time by the database clock, which all processes use for billing, because local clocks can be wrong. */
export const realNow = ({ read_at, read_mark }: Pick<SubscriptionRow, 'read_at' | 'read_mark'>): number =>
  read_at.getTime() + Math.floor(performance.now() - read_mark);

/** The time by the subscription's clock, which stands still during a test clock move. */
export const clockNow = (row: Pick<SubscriptionRow, 'clock_at' | 'offset' | 'read_at' | 'read_mark'>): number =>
  row.clock_at?.getTime() ?? realNow(row) + row.offset * 1000;

export function subscriptionList(
  db: Database,
  where: Conditions & { status: { in: readonly string[] } },
  slice: Slice,
) {
  // Said as it stands in the index, which has those that are not cancelled in the order of their charge dates.
  const condition = where.status.in.includes('cancelled')
    ? toSql(where)
    : Prisma.sql`${toSql(where)} and status <> 'cancelled'`;
  const readIds = () => db.$queryRaw<{ id: string }[]>`select id from subscriptions ${slicedSql(condition, slice)}`;
  return metadataList({ limit: slice.take, readIds, find: id => subscriptionById(db, id) });
}
