import type { AttemptOrigin } from '../../gateway/declines';
import type { Context } from '../../schema/operation/context';

/** The origin of a card attempt. `created_from`: the IP address of the browser that created the token, if there is one. */
export function originOf({ keyKind, address }: Context, created_from?: string | null): AttemptOrigin {
  if (created_from) return { from: 'token', address: created_from };
  return keyKind === 'session' ? { from: 'session', address } : { from: 'server' };
}
