/** One attempt at a delivery. */
import type { Environment } from '../../../prisma/generated/enums';
import type { SentEvent } from '../../events/list';
import { DeliveryFailure, type OutgoingRequest, type Sender } from '../../sending/sender';
import type { AttemptResult } from './recordAttempts';

export type Senders = Record<Environment, Sender>;

/** A delivery that is to be tried. */
export interface PendingDelivery extends Pick<AttemptResult, 'id' | 'webhook_id' | 'sequence' | 'attempts'> {
  event: SentEvent;
}

/** Whatever comes of it. `fault` hears of what is wrong here, not there. */
export async function attemptDelivery(
  sender: Sender,
  write: (event: SentEvent) => OutgoingRequest,
  { id, webhook_id, sequence, attempts, event }: PendingDelivery,
  fault: (error: Error) => void,
): Promise<AttemptResult> {
  const at = Date.now();
  const verifies = event.type === 'verification';
  try {
    const { status, answer, ms } = await sender.send(write(event));
    return { id, webhook_id, sequence, attempts, verifies, at, status, answer, ms };
  } catch (thrown) {
    const about = { id, webhook_id, sequence, attempts, verifies, at };
    if (thrown instanceof DeliveryFailure) return { ...about, error: thrown.message, ms: thrown.ms };
    fault(thrown as Error);
    return { ...about, error: 'The request could not be made', ms: 0 };
  }
}
