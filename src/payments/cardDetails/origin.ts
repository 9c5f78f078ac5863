import type { AttemptOrigin } from '../../gateway/declines';
import type { Context } from '../../schema/operation/context';

/** The origin of a card attempt. `created_from`: the IP address of the browser that created the token, if there is one. */
export function originOf({ keyKind, actor, address }: Context, created_from?: string | null): AttemptOrigin {
  if (created_from) return { from: 'token', address: created_from };
  if (actor.kind === 'payer') return { from: 'page', address };
  return keyKind === 'session' ? { from: 'session', address } : { from: 'server' };
}
