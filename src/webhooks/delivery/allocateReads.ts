import type { Endpoint } from './endpoint';
import type { ReadRequest } from './leases';

/** Of all endpoints together. */
const MAX_PENDING = 10_000;
const MAX_PENDING_BYTES = 24 * 1024 * 1024;
/** What everybody may have, however much the others do. */
const MIN_READ = 5;

/** How much is read for whom: as there is place here. Of who has enough, only how it stands: its secret may be another now. */
export function allocateReads(
  served: Map<string, { endpoint: Endpoint }>,
  isPulse: boolean,
  isNew: boolean,
): ReadRequest[] {
  const all = [...served].map(([id, { endpoint }]) => ({ id, endpoint, wants: endpoint.capacity() }));
  const asked = all.filter(({ endpoint, wants }) => wants > 0 || (isNew && endpoint.size() > 0));
  const sum = (of: (endpoint: Endpoint) => number): number =>
    all.reduce((total, { endpoint }) => total + of(endpoint), 0);
  const share = (room: number): number => Math.max(0, Math.floor(room / Math.max(asked.length, 1)));
  const fair = Math.max(MIN_READ, share(MAX_PENDING - sum(endpoint => endpoint.size())));
  const bytes = share(MAX_PENDING_BYTES - sum(endpoint => endpoint.bytes));
  return asked.map(({ id, endpoint, wants }) => ({
    id,
    // Who has nothing here gets one, whatever its length.
    count: endpoint.size() > 0 && bytes === 0 ? 0 : Math.min(wants, fair),
    bytes: Math.max(bytes, 1),
    from: isPulse ? 0 : endpoint.readFrom(),
  }));
}
