/**
 * Billing holds by operators. A hold stops automatic charges only: it uses up no retry and cancels no unpaid subscription.
 * After the release, every due period is billed once.
 */
import { Prisma } from '../../../prisma/generated/client';
import type { Environment } from '../../../prisma/generated/enums';
import { formatMoment } from '../../../workflows/calendar';
import { type AuditOrigin, auditEntry } from '../../accounts/auditLog/entry';
import { postponeDeadlines } from '../../accounts/merchants/rows';
import { databaseTime } from '../../platform/database/clock';
import type { Database } from '../../platform/database/connection';
import { BOTH_ENVIRONMENTS } from '../../platform/database/environments';
import { wakeWorkers } from '../../platform/database/outbox';
import { ApiError } from '../../platform/errors';
import { newId } from '../../platform/identifiers';
import { HOLD_SCOPES, type HoldRow, type HoldTarget, narrowHold, whereCoveredBy } from './rows';

/** Long, because a release moves the deadlines of many subscriptions. */
const RELEASE_TIMEOUT_MS = 60_000;
const MAX_HOLD_DAYS = 366;
export const MAX_OVER_SECONDS = 86_400;
const SYSTEM: AuditOrigin = { actor: { kind: 'system', id: null } };

/** Accepted in place of an ID, together with an environment. */
const EVERYTHING = 'everything';

/** Throws for a subscription whose billing has ended. */
export async function findHoldable(db: Database, id: string, environment?: Environment): Promise<HoldTarget> {
  const target = await findTarget(db, id, environment);
  const ended = { id, status: 'cancelled', open: { equals: Prisma.DbNull } } as const;
  if (target.scope === 'subscription' && (await db.subscription.count({ where: ended })) > 0)
    throw new ApiError('not_allowed', 'ended_not_holdable', { id });
  return target;
}

export async function findTarget(db: Database, id: string, environment?: Environment): Promise<HoldTarget> {
  if (id === EVERYTHING) {
    if (!environment)
      throw new ApiError('invalid_value', 'not_one_of', { field: 'environment', values: BOTH_ENVIRONMENTS.join(', ') });
    return { scope: 'everything', object_id: environment, environment, merchant_id: null };
  }
  const select = { id: true, environment: true } as const;
  const within = { where: { id }, select: { merchant: { select } } } as const;
  const [subscription, customer, plan, merchant] = await Promise.all([
    db.subscription.findFirst({ where: { id, status: { not: 'new' } }, select: within.select }),
    db.customer.findUnique(within),
    db.plan.findUnique(within),
    db.merchant.findUnique({ where: { id }, select }),
  ]);
  const owners = { subscription: subscription?.merchant, customer: customer?.merchant, plan: plan?.merchant, merchant };
  const found = HOLD_SCOPES.flatMap((scope): HoldTarget[] => {
    const owner = scope === 'everything' ? undefined : owners[scope];
    return owner ? [{ scope, object_id: id, environment: owner.environment, merchant_id: owner.id }] : [];
  })[0];
  if (!found) throw new ApiError('not_found', 'unknown_hold_target', { id });
  if (environment && found.environment !== environment)
    throw new ApiError('not_found', 'other_environment', { id, environment: found.environment });
  return found;
}

interface HoldTerms {
  reason: string;
  /** Time of the automatic release; without one, an operator releases the hold. */
  until?: Date | null | undefined;
}

/** A repeated request with the same terms returns the existing hold. */
export async function holdBilling(
  db: Database,
  by: AuditOrigin,
  target: HoldTarget,
  { reason, until = null }: HoldTerms,
): Promise<HoldRow> {
  const aheadMs = until === null ? 1 : until.getTime() - Date.now();
  if (aheadMs <= 0) throw new ApiError('invalid_value', 'in_past', { field: 'until' });
  if (aheadMs > MAX_HOLD_DAYS * 86_400_000)
    throw new ApiError('invalid_value', 'too_many_days_ahead', { field: 'until', max: MAX_HOLD_DAYS });
  const row = await db.$transaction(async tx => {
    const hold = { ...target, id: newId('hold'), reason, until, actor: by.actor.kind, actor_id: by.actor.id };
    // A concurrent request waits for the first one and finds its row.
    const { count } = await tx.billingHold.createMany({ data: [hold], skipDuplicates: true });
    const found = await findOpenHold(tx, target);
    if (count === 0) return repeatedHold(found, { reason, until });
    const { object_id, merchant_id } = target;
    const after = { reason, scope: target.scope, until: until && formatMoment(until.getTime()) };
    await tx.auditEntry.create({ data: auditEntry(by, 'billing.held', { object_id, after }, merchant_id) });
    const work = { kind: 'hold', object_id: hold.id, environment: hold.environment };
    await tx.outbox.createMany({ data: until ? [work, { ...work, again_at: until }] : [work] });
    return found;
  });
  await wakeWorkers(db);
  if (!row) throw new ApiError('not_allowed', 'hold_released');
  return row;
}

export async function findOpenHold(
  db: Prisma.TransactionClient,
  { object_id }: HoldTarget,
): Promise<HoldRow | undefined> {
  const row = await db.billingHold.findFirst({ where: { object_id, released_at: null } });
  return row ? narrowHold(row) : undefined;
}

/** Throws if the existing hold has different terms. */
export function repeatedHold(found: HoldRow | undefined, { reason, until }: HoldTerms): HoldRow | undefined {
  const isSame = found?.reason === reason && (found.until?.getTime() ?? null) === (until?.getTime() ?? null);
  if (!found || isSame) return found;
  throw new ApiError('not_allowed', 'already_held', { hold: describeHold(found) });
}

/** For example `since 2026-11-17T08:00:00-05:00 by command line: Wrong prices`. */
export const describeHold = ({ held_at, until, actor, actor_id, reason }: HoldRow): string =>
  `since ${formatMoment(held_at.getTime())}${until ? ` until ${formatMoment(until.getTime())}` : ''} by ${actor_id ?? actor}: ${reason}`;

interface ReleaseTerms {
  reason?: string | undefined;
  /** Time over which due periods are billed; by default it depends on their number. */
  over_seconds?: number | undefined;
}

export async function releaseBilling(
  db: Database,
  by: AuditOrigin,
  target: HoldTarget,
  terms: ReleaseTerms = {},
): Promise<HoldRow> {
  const released = await release(db, by, { object_id: target.object_id }, terms);
  if (!released) throw new ApiError('not_allowed', 'not_held');
  return released;
}

/**
 * Releases an expired hold; undefined if it was released earlier. Uses the database clock, as the outbox does: by a slow
 * local clock the hold would not have expired, and the outbox row would be lost.
 */
export async function endHold(db: Database, id: string): Promise<HoldRow | undefined> {
  return release(db, SYSTEM, { id, until: { lte: await databaseTime(db) } }, {});
}

async function release(
  db: Database,
  by: AuditOrigin,
  where: Prisma.BillingHoldWhereInput,
  { reason, over_seconds }: ReleaseTerms,
): Promise<HoldRow | undefined> {
  const work = async (tx: Prisma.TransactionClient): Promise<HoldRow | undefined> => {
    const released_at = new Date();
    const data = {
      released_at,
      released_by: by.actor.kind,
      released_by_id: by.actor.id,
      over_seconds: over_seconds ?? null,
    };
    const [row] = await tx.billingHold.updateManyAndReturn({ where: { ...where, released_at: null }, data });
    if (!row) return undefined;
    const hold = narrowHold(row);
    await postponeDeadlines(tx, whereCoveredBy(hold), hold.held_at);
    const { object_id, merchant_id } = hold;
    const before = { reason: hold.reason, held_at: formatMoment(hold.held_at.getTime()) };
    const after = { scope: hold.scope, ...(reason && { reason }), ...(over_seconds !== undefined && { over_seconds }) };
    await tx.auditEntry.create({ data: auditEntry(by, 'billing.released', { object_id, before, after }, merchant_id) });
    await tx.outbox.deleteMany({ where: { kind: 'hold', object_id: hold.id } });
    await tx.outbox.create({ data: { kind: 'hold', object_id: hold.id, environment: hold.environment } });
    return hold;
  };
  const released = await db.$transaction(work, { timeout: RELEASE_TIMEOUT_MS });
  await wakeWorkers(db);
  return released;
}
