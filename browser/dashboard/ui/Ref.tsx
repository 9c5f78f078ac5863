/** Links an ID to its page; the first letter of an ID is its type. */
import { Link } from 'wouter-preact';
import { Id } from '../../shared/ui/Facts';

const PATHS: Readonly<Record<string, string>> = {
  a: 'customers',
  c: 'keys',
  e: 'events',
  p: 'plans',
  q: 'coupons',
  r: 'fraud',
  s: 'subscriptions',
  t: 'charges',
  u: 'links',
  w: 'webhooks',
  x: 'settlements',
};

/** `room` overrides the type given by the prefix. */
export function Ref({ id, room = PATHS[id.charAt(0)] }: { id: string; room?: string | undefined }) {
  const isKnown = room && /^[a-z][a-z0-9]{19}$/.test(id);
  return isKnown ? (
    <Link href={`/${room}/${id}`}>
      <Id id={id} />
    </Link>
  ) : (
    <Id id={id} />
  );
}
