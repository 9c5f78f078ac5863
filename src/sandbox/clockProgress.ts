/** How far the move of a test clock is, and what it waits for. */
import type { Prisma } from '../../prisma/generated/client';
import { formatMoment } from '../../workflows/calendar';
import type { OpenAttempt } from '../../workflows/state';
import type { ClockWait } from './fields';
import { type ClockScope, readWaiting } from './rows';

/** Enough to see what the matter is. */
const MAX_NAMED = 5;

/** The first ones that have not arrived; those that got no answer before all others. */
export async function loadWaiting(db: Prisma.TransactionClient, scope: ClockScope, target: Date): Promise<ClockWait[]> {
  const { moving, expiring } = await readWaiting(db, scope, target, MAX_NAMED);
  return [
    ...moving.map(({ id, open }) => ({ id, reason: chargeReason(open) })),
    ...expiring.map(({ id, progress }) => ({ id, reason: expiryReasons[progress] ?? EXPIRING })),
  ].slice(0, MAX_NAMED);
}

function chargeReason(open: OpenAttempt | null): string {
  if (!open) return 'It has not caught up with the clock yet.';
  const { period, tries, again_at } = open;
  if (tries === 0) return `The charge of period ${period} is under way.`;
  return `The acquirer has given no answer to the charge of period ${period}; it is asked again at ${formatMoment(again_at)}, in real time.`;
}

const EXPIRING = 'It has expired and is about to be cancelled.';
const expiryReasons: Record<string, string> = {
  voiding: 'It has expired, and the acquirer has not confirmed its end yet.',
  capturing: 'It is just being captured.',
  paying: 'Its payer is just paying it.',
};
