/** Progress of a moving test clock, and the reasons why it waits. */
import type { Prisma } from '../../prisma/generated/client';
import { formatMoment } from '../../workflows/calendar';
import type { OpenAttempt } from '../billing/subscriptions/rules/state';
import type { ClockWait } from './fields';
import { type ClockScope, readWaiting } from './rows';

const MAX_WAITING = 5;

/** The first ones that have not arrived, beginning with those that the acquirer has not answered. */
export async function loadWaiting(db: Prisma.TransactionClient, scope: ClockScope, target: Date): Promise<ClockWait[]> {
  const { moving, expiring } = await readWaiting(db, scope, target, MAX_WAITING);
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
