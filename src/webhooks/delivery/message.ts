/** What goes out: the event, who we are to the webhook, and a signature by which it knows us. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { eventBody, type SentEvent } from '../../events/list';
import type { OutgoingRequest } from '../../sending/sender';
import type { VaultKeys } from '../../vault/keys';
import { open } from '../../vault/open';
import type { WebhookRow } from '../rows';

/** What is known of a webhook where something is sent to it. */
export type WebhookAddress = Pick<
  WebhookRow,
  'id' | 'url' | 'user' | 'password_sealed' | 'secret_sealed' | 'secret_old_sealed' | 'secret_old_until'
>;

type SealedSecret = WebhookAddress['secret_sealed'];

/** Writes the messages to one webhook: what is the same in all of them is made once, with the first. */
export function messageWriter(
  vault: VaultKeys,
  to: WebhookAddress,
): (event: SentEvent, now?: number) => OutgoingRequest {
  const { id, url, user, password_sealed, secret_sealed, secret_old_sealed, secret_old_until } = to;
  const keyOf = (sealed: SealedSecret): KeyObject => createSecretKey(open(vault, sealed, `secret ${id}`), 'utf8');
  const opened = (): { secret: KeyObject; old?: KeyObject; authorization?: string } => {
    const password = password_sealed ? open(vault, password_sealed, `password ${id}`) : '';
    const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    return {
      secret: keyOf(secret_sealed),
      old: secret_old_sealed ? keyOf(secret_old_sealed) : undefined,
      authorization: user === null ? undefined : basic,
    };
  };
  let known: ReturnType<typeof opened> | undefined;
  return (event, now = Date.now()) => {
    known ??= opened();
    const { secret, old, authorization } = known;
    // Its bytes are made once, to be signed and to be sent.
    const body = Buffer.from(eventBody(event));
    const time = Math.floor(now / 1000);
    let signature = `t=${time},v1=${digest(secret, time, body)}`;
    if (old && (secret_old_until?.getTime() ?? 0) > now) signature += `,v1=${digest(old, time, body)}`;
    // One object of one shape: one that is put together of others costs a tenth of all that sending does.
    const headers = { 'content-type': 'application/json', 'user-agent': 'recaudo/1', signature, authorization };
    return { ownerId: id, url, headers, body };
  };
}

const digest = (secret: KeyObject, time: number, body: Buffer): string =>
  createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
