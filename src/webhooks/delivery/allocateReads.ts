import type { Endpoint } from './endpoint';
import type { ReadRequest } from './leases';

/** For all endpoints of this process together. */
const MAX_PENDING_DELIVERIES = 10_000;
const MAX_PENDING_BYTES = 24 * 1024 * 1024;
/** Every endpoint may read this many, however much memory the others take. */
const MIN_READ_ROWS = 5;

/**
 * Divides the free memory of the process evenly among the endpoints that can take more deliveries. When there may be
 * new deliveries, an endpoint that has enough is read too, without any rows: its secret may have been rotated.
 */
export function allocateReads(
  leased: Map<string, { endpoint: Endpoint }>,
  isScheduledPoll: boolean,
  mayHaveNewDeliveries: boolean,
): ReadRequest[] {
  const candidates = [...leased].map(([id, { endpoint }]) => ({ id, endpoint, capacity: endpoint.capacity() }));
  const readers = candidates.filter(
    ({ endpoint, capacity }) => capacity > 0 || (mayHaveNewDeliveries && endpoint.size() > 0),
  );
  const sum = (measure: (endpoint: Endpoint) => number): number =>
    candidates.reduce((total, { endpoint }) => total + measure(endpoint), 0);
  const share = (free: number): number => Math.max(0, Math.floor(free / Math.max(readers.length, 1)));
  const rowShare = Math.max(MIN_READ_ROWS, share(MAX_PENDING_DELIVERIES - sum(endpoint => endpoint.size())));
  const byteShare = share(MAX_PENDING_BYTES - sum(endpoint => endpoint.bytes));
  return readers.map(({ id, endpoint, capacity }) => ({
    id,
    // An endpoint that holds nothing gets one delivery, whatever its length.
    max_rows: endpoint.size() > 0 && byteShare === 0 ? 0 : Math.min(capacity, rowShare),
    max_bytes: Math.max(byteShare, 1),
    from_sequence: isScheduledPoll ? 0 : endpoint.readFrom(),
  }));
}
