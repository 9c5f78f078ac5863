/** One attempt at a delivery. */
import type { Environment } from '../../../prisma/generated/enums';
import type { OutgoingEvent } from '../../events/list';
import { DeliveryFailure, type OutgoingRequest, type Sender } from '../../sending/sender';
import type { AttemptResult } from './recordAttempts';

/** One for each environment that the process delivers for. */
export type Senders = Partial<Record<Environment, Sender>>;

/** A delivery whose next attempt is due. */
export interface PendingDelivery extends Pick<AttemptResult, 'id' | 'webhook_id' | 'sequence' | 'previousAttempts'> {
  event: OutgoingEvent;
}

/** Resolves whatever the outcome. `onInternalError` gets the errors that are ours, not the endpoint's. */
export async function attemptDelivery(
  sender: Sender,
  writeMessage: (event: OutgoingEvent) => OutgoingRequest,
  { id, webhook_id, sequence, previousAttempts, event }: PendingDelivery,
  onInternalError: (error: Error) => void,
): Promise<AttemptResult> {
  const startedAt = Date.now();
  const isVerification = event.type === 'verification';
  try {
    const { status, answer, durationMs } = await sender.send(writeMessage(event));
    return { id, webhook_id, sequence, previousAttempts, isVerification, startedAt, status, answer, durationMs };
  } catch (error) {
    const attempt = { id, webhook_id, sequence, previousAttempts, isVerification, startedAt };
    if (error instanceof DeliveryFailure) return { ...attempt, error: error.message, durationMs: error.durationMs };
    onInternalError(error as Error);
    return { ...attempt, error: 'The request could not be made', durationMs: 0 };
  }
}
