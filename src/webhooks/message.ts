/** What goes out: the event, who we are to the webhook, and a signature by which it knows us. */
import { createHmac } from 'node:crypto';
import { type EventRow, eventBody } from '../events/list';
import type { VaultKeys } from '../vault/keys';
import { open } from '../vault/open';
import type { Outgoing } from './outgoing';

/** What is known of a webhook where something is sent to it. */
export interface Addressee {
  webhook_id: string;
  url: string;
  user: string | null;
  password_sealed: Uint8Array<ArrayBuffer> | null;
  secret_sealed: Uint8Array<ArrayBuffer>;
  secret_old_sealed: Uint8Array<ArrayBuffer> | null;
  secret_old_until: Date | null;
}

export function messageOf(vault: VaultKeys, to: Addressee, event: EventRow, now = Date.now()): Outgoing {
  const body = eventBody(event);
  const time = Math.floor(now / 1000);
  const secrets = [to.secret_sealed];
  if (to.secret_old_sealed && (to.secret_old_until?.getTime() ?? 0) > now) secrets.push(to.secret_old_sealed);
  const { webhook_id, password_sealed } = to;
  const marks = secrets.map(sealed => `v1=${digest(open(vault, sealed, `secret ${webhook_id}`), `${time}.${body}`)}`);
  const password = password_sealed ? open(vault, password_sealed, `password ${webhook_id}`) : '';
  const headers: Record<string, string> = { signature: [`t=${time}`, ...marks].join(',') };
  if (to.user !== null) headers.authorization = `Basic ${Buffer.from(`${to.user}:${password}`).toString('base64')}`;
  return { url: to.url, headers, body };
}

const digest = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');
