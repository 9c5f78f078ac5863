import { Prisma } from '../../../prisma/generated/client';
import type { PaymentLinkModel } from '../../../prisma/generated/models';
import { merchantIsActive } from '../../accounts/merchants/rows';
import { LINK_IS_CLOSED, NEW_LEASE } from '../../payments/charges/rows';
import type { ChargeMethodName } from '../../payments/methods/methods';
import type { Database } from '../../platform/database/connection';
import { columnsOf } from '../../platform/database/rows';
import { ApiError, isRetryable } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import { slicedSql } from '../../schema/connections/rows';
import type { Slice } from '../../schema/connections/window';
import type { Context } from '../../schema/operation/context';
import { createdConditions } from '../../schema/rows';
import type {
  PaymentLinkKindName,
  PaymentLinkStatusName,
  PaymentLinksArgs,
  PaymentLinksConnectionArgs,
} from './fields';

interface NarrowLinkColumns {
  kind: PaymentLinkKindName;
  /** An expired link stays active. */
  status: Exclude<PaymentLinkStatusName, 'expired'>;
  methods: ChargeMethodName[];
}

export type PaymentLinkRow = Omit<PaymentLinkModel, keyof NarrowLinkColumns> &
  NarrowLinkColumns & {
    /** The time by the clock of the customer or merchant. */
    now: Date;
    /** Whether a form is being processed. */
    is_busy: boolean;
    /** The link of one payer, if the link that the merchant created was cancelled or has no place left. */
    is_closed: boolean;
  };

const CLOCK = Prisma.raw(
  'now() + make_interval(secs => clock_offset_of(payment_links.merchant_id, payment_links.customer_id))',
);
const COLUMNS = Prisma.sql`${columnsOf('payment_links')}, ${CLOCK} as now, coalesce(lease_until > now(), false) as is_busy,
  ${LINK_IS_CLOSED} as is_closed`;

/** The statement `conditions` is the rest of a select. */
const readLinks = (db: Database, conditions: Prisma.Sql): Promise<PaymentLinkRow[]> =>
  db.$queryRaw`select ${COLUMNS} from payment_links ${conditions}`;

export const listLinks = (db: Database, conditions: Prisma.Sql, slice: Slice): Promise<PaymentLinkRow[]> =>
  readLinks(db, slicedSql(conditions, slice));

export async function findLink(
  { db, merchant_id }: Pick<Context, 'db' | 'merchant_id'>,
  id: string,
): Promise<PaymentLinkRow> {
  const [row] = isId(id) ? await readLinks(db, Prisma.sql`where id = ${id}`) : [];
  if (row?.merchant_id !== merchant_id) throw new ApiError('not_found');
  return row;
}

export const findLinkByPageKey = async (db: Database, key: string): Promise<PaymentLinkRow | undefined> =>
  isId(key) ? (await readLinks(db, Prisma.sql`where page_key = ${key}`))[0] : undefined;

/** A link that is in use stays active until its payment or first charge has ended. */
const HAS_EXPIRED = Prisma.sql`(${CLOCK} >= expires_at and transaction_id is null and subscription_id is null)`;

const IS_COMPLETED = Prisma.sql`(status = 'completed' or coalesce(payments >= max_payments, false))`;

const STATUS_CONDITIONS: Record<PaymentLinkStatusName, Prisma.Sql> = {
  active: Prisma.sql`(status = 'active' and not ${HAS_EXPIRED} and not ${IS_COMPLETED})`,
  expired: Prisma.sql`(status = 'active' and ${HAS_EXPIRED} and not ${IS_COMPLETED})`,
  completed: Prisma.sql`(status <> 'cancelled' and ${IS_COMPLETED})`,
  cancelled: Prisma.sql`status = 'cancelled'`,
};

export function linkConditions(
  { merchant_id }: Context,
  filters: PaymentLinksArgs | PaymentLinksConnectionArgs,
): Prisma.Sql {
  const { status = [], kind, customer_id, parent_id } = filters;
  const conditions = [
    Prisma.sql`merchant_id = ${merchant_id}`,
    parent_id === undefined ? Prisma.sql`parent_id is null` : Prisma.sql`parent_id = ${parent_id}`,
    ...(customer_id === undefined ? [] : [Prisma.sql`customer_id = ${customer_id}`]),
    ...(kind === undefined ? [] : [Prisma.sql`kind = ${kind}`]),
    ...(status.length === 0
      ? []
      : [
          Prisma.sql`(${Prisma.join(
            status.map(name => STATUS_CONDITIONS[name]),
            ' or ',
          )})`,
        ]),
    ...createdConditions(filters),
  ];
  return Prisma.join(conditions, ' and ');
}

/**
 * Other uses of the link from the same network that keep a place by an unpaid payment, or may be about to: a use that has
 * begun its own attempt cannot miss one that began before.
 */
export async function countUnpaidUses(db: Database, { id, parent_id, network_hash }: PaymentLinkRow): Promise<number> {
  const [found] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::integer as count
    from payment_links other left join transactions payment on payment.id = other.transaction_id
    where other.parent_id = ${parent_id} and other.network_hash = ${network_hash} and other.id <> ${id}
      and (other.transaction_id is null and other.lease_until > now()
        or payment.method <> 'card' and payment.progress = 'pending')`;
  return found?.count ?? 0;
}

/** False unless the link is active and unused. */
export async function markCancelled(db: Database, id: string): Promise<boolean> {
  const cancelled = await db.$executeRaw`
    update payment_links set status = 'cancelled'
    where id = ${id} and status = 'active' and transaction_id is null and subscription_id is null`;
  return cancelled > 0;
}

/**
 * Begins an attempt, of which a link has one at a time: it spares the acquirer the repetitions of a form. That a link is
 * used once does not depend on it. `attemptsShown` is the number of attempts when the page was rendered.
 */
export async function startAttempt(
  db: Database,
  id: string,
  attemptsShown: number,
  consent: string | null = null,
): Promise<boolean> {
  const started = await db.$executeRaw`
    update payment_links set attempts = attempts + 1, lease_until = ${NEW_LEASE}, consent_text = ${consent},
      consent_date = case when ${consent}::text is not null then ${CLOCK} end
    where id = ${id} and status = 'active' and transaction_id is null and subscription_id is null
      and attempts = ${attemptsShown} and (lease_until is null or lease_until < now()) and expires_at > ${CLOCK}
      and ${merchantIsActive('payment_links')}`;
  return started > 0;
}

/** `error_code` of a declined card or an outage, or null. A later attempt keeps its lease. */
export const endAttempt = (db: Database, id: string, attempt: number, error_code: number | null): Promise<number> =>
  db.$executeRaw`
    update payment_links set lease_until = null, error_code = ${error_code},
      declines = declines + ${error_code === null || isRetryable(error_code) ? 0 : 1}
    where id = ${id} and attempts = ${attempt}`;
