/** Progress of a test clock move, and the subscriptions and charges that it waits for. */
import { Prisma } from '../../prisma/generated/client';
import { formatMoment } from '../../workflows/calendar';
import type { OpenAttempt } from '../../workflows/state';
import type { ClockScope } from './clockScope';
import type { ClockWait } from './fields';

const MAX_WAITING = 5;

/** Number of pending subscriptions and charges, and the time of the slowest one. */
export async function loadProgress(
  db: Prisma.TransactionClient,
  { subscriptions, charges }: ClockScope,
  target: Date = new Date(0),
): Promise<{ pending: number; now: Date | null }> {
  const [progress] = await db.$queryRaw<{ pending: bigint; now: Date | null }[]>`
    select (select count(*) from subscriptions s where ${subscriptions} and ${IS_MOVING})
        + (select count(*) from transactions t where ${expiresBy(charges, target)}) as pending,
      (select min(clock_at) from subscriptions s where ${subscriptions} and ${IS_MOVING}) as now`;
  return { pending: Number(progress?.pending ?? 0), now: progress?.now ?? null };
}

const IS_MOVING = Prisma.raw(`clock_to is not null and (status <> 'cancelled' or open is not null)`);

/** Authorizations and pending payments `t` that expire by then. */
export const expiresBy = (charges: Prisma.Sql, target: Date): Prisma.Sql => Prisma.sql`
  ${charges} and t.transaction_type = 'charge'
    and t.progress in ('authorized', 'capturing', 'voiding', 'pending', 'paying') and t.expires_at <= ${target}`;

interface WaitingSubscription {
  id: string;
  open: OpenAttempt | null;
}

/** Examples of pending subscriptions and charges, unanswered charges first. */
export async function loadWaiting(
  db: Prisma.TransactionClient,
  { subscriptions, charges }: ClockScope,
  target: Date,
): Promise<ClockWait[]> {
  const moving = await db.$queryRaw<WaitingSubscription[]>`
    select id, open from subscriptions s where ${subscriptions} and ${IS_MOVING}
    order by (open ->> 'tries')::integer desc nulls last, clock_at, id limit ${MAX_WAITING}`;
  const expiring = await db.$queryRaw<{ id: string; progress: string }[]>`
    select id, progress from transactions t where ${expiresBy(charges, target)} order by expires_at, id limit ${MAX_WAITING}`;
  return [
    ...moving.map(({ id, open }) => ({ id, reason: chargeReason(open) })),
    ...expiring.map(({ id, progress }) => ({ id, reason: expiryReasons[progress] ?? EXPIRING })),
  ].slice(0, MAX_WAITING);
}

function chargeReason(open: OpenAttempt | null): string {
  if (!open) return 'It has not reached the target time yet.';
  const { period, tries, again_at } = open;
  if (tries === 0) return `The charge of period ${period} is in progress.`;
  return `The acquirer has not answered the charge of period ${period}. The next attempt is at ${formatMoment(again_at)}, in real time.`;
}

const EXPIRING = 'It has expired and will be cancelled.';
const expiryReasons: Record<string, string> = {
  voiding: 'It has expired, and the acquirer has not confirmed the cancellation yet.',
  capturing: 'A capture is in progress.',
  paying: 'A payment attempt is in progress.',
};
