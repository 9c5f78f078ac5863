/** A delivery that is to be tried, with all that it takes, and one attempt. */
import { Prisma } from '../../prisma/generated/client';
import type { Environment } from '../../prisma/generated/enums';
import type { EventRow } from '../events/list';
import type { VaultKeys } from '../vault/keys';
import { type Addressee, messageOf } from './message';
import type { Attempted } from './outcomes';
import { NotDelivered, type Sender } from './outgoing';

export type Senders = Record<Environment, Sender>;

export interface Waiting extends Addressee {
  delivery_id: string;
  attempts: number;
  environment: Environment;
  event: EventRow;
}

/** What is read of a delivery `d` before it is tried, with its webhook `w`, its merchant `m` and its event `e`. */
export const WAITING =
  Prisma.raw(`d.id as delivery_id, d.attempts, w.id as webhook_id, w.url, w."user", w.password_sealed, w.secret_sealed,
  w.secret_old_sealed, w.secret_old_until, m.environment::text as environment, jsonb_build_object('id', e.id, 'merchant_id', e.merchant_id,
  'type', e.type, 'object_id', e.object_id, 'object', e.object, 'creation_date', e.creation_date) as event`);

export const readWaiting = (row: Waiting): Waiting => ({
  ...row,
  event: { ...row.event, creation_date: new Date(row.event.creation_date) },
});

/** One attempt, whatever comes of it. */
export async function attempt(vault: VaultKeys, senders: Senders, waiting: Waiting): Promise<Attempted> {
  const { delivery_id: id, attempts, environment, event } = waiting;
  try {
    const { status, answer, ms } = await senders[environment].send(messageOf(vault, waiting, event));
    return { id, attempts, status, answer, ms };
  } catch (error) {
    if (!(error instanceof NotDelivered)) throw error;
    return { id, attempts, error: error.message, ms: error.ms };
  }
}
