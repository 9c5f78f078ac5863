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
  old_secret_sealed: Uint8Array<ArrayBuffer> | null;
  old_secret_until: Date | null;
}

export function messageOf(vault: VaultKeys, to: Addressee, event: EventRow, now = Date.now()): Outgoing {
  const body = eventBody(event);
  const time = Math.floor(now / 1000);
  const secrets = [to.secret_sealed];
  if (to.old_secret_sealed && (to.old_secret_until?.getTime() ?? 0) > now) secrets.push(to.old_secret_sealed);
  const reveal = (sealed: Uint8Array<ArrayBuffer>): string => open(vault, sealed, `webhook ${to.webhook_id}`);
  const marks = secrets.map(sealed => `v1=${digest(reveal(sealed), `${time}.${body}`)}`);
  const password = to.password_sealed ? reveal(to.password_sealed) : '';
  const headers: Record<string, string> = { signature: [`t=${time}`, ...marks].join(',') };
  if (to.user !== null) headers.authorization = `Basic ${Buffer.from(`${to.user}:${password}`).toString('base64')}`;
  return { url: to.url, headers, body };
}

const digest = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');
