/** A delivery that is to be tried, and one attempt at it. */
import type { Environment } from '../../prisma/generated/enums';
import type { SentEvent } from '../events/list';
import { NotDelivered, type Outgoing, type Sender } from '../sending/outgoing';
import type { Attempted } from './outcomes';

export type Senders = Record<Environment, Sender>;

export interface Tried {
  id: string;
  /** Before this one. */
  attempts: number;
  event: SentEvent;
}

/** One that has its place in the queue. */
export interface Waiting extends Tried {
  sequence: number;
}

/** Whatever comes of it. `fault` hears of what is wrong here, not there. */
export async function attempt(
  sender: Sender,
  write: (event: SentEvent) => Outgoing,
  { id, attempts, event }: Tried,
  fault: (error: Error) => void,
): Promise<Attempted> {
  const verifies = event.type === 'verification';
  try {
    const { status, answer, ms } = await sender.send(write(event));
    return { id, attempts, verifies, status, answer, ms };
  } catch (thrown) {
    if (thrown instanceof NotDelivered) return { id, attempts, verifies, error: thrown.message, ms: thrown.ms };
    fault(thrown as Error);
    return { id, attempts, verifies, error: 'The request could not be made', ms: 0 };
  }
}
