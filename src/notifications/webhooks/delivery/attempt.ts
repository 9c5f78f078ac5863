import type { Environment } from '../../../../prisma/generated/enums';
import type { OutgoingEvent } from '../../../events/rows';
import { DeliveryFailure, type OutgoingRequest, type Sender } from '../../../platform/sending/sender';
import { traceHeaders } from '../../../platform/tracing/spans';
import { inDeliverySpan } from '../../../platform/tracing/work';
import type { AttemptResult } from './attempts/rows';

/** One sender for each environment that the process serves. */
export type Senders = Partial<Record<Environment, Sender>>;

/** A delivery whose next attempt is due. */
export interface PendingDelivery extends Pick<AttemptResult, 'id' | 'webhook_id' | 'sequence' | 'previousAttempts'> {
  event: OutgoingEvent;
}

/** Resolves with any outcome. `onInternalError` receives errors of this program, not of the endpoint. */
export async function attemptDelivery(
  sender: Sender,
  writeMessage: (event: OutgoingEvent) => OutgoingRequest,
  { id, webhook_id, sequence, previousAttempts, event }: PendingDelivery,
  onInternalError: (error: Error) => void,
): Promise<AttemptResult> {
  const startedAt = Date.now();
  const isVerification = event.type === 'verification';
  try {
    const send = () => sender.send(withTrace(writeMessage(event)));
    const response = await inDeliverySpan(event, webhook_id, send);
    return { id, webhook_id, sequence, previousAttempts, isVerification, startedAt, ...response };
  } catch (error) {
    const attempt = { id, webhook_id, sequence, previousAttempts, isVerification, startedAt };
    if (error instanceof DeliveryFailure) return { ...attempt, error: error.message, durationMs: error.durationMs };
    onInternalError(error as Error);
    return { ...attempt, error: 'The request could not be sent', durationMs: 0 };
  }
}

const withTrace = (request: OutgoingRequest): OutgoingRequest => ({
  ...request,
  headers: { ...request.headers, ...traceHeaders() },
});
