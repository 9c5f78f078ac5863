import type { Endpoint } from './endpoint';
import type { ReadRequest } from './rows';

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
  const endpoints = [...leased].map(([id, { endpoint }]) => ({ id, endpoint }));
  const readers = endpoints
    .map(reader => ({ ...reader, rows: reader.endpoint.capacity(), retries: reader.endpoint.retryCapacity() }))
    .filter(({ endpoint, rows, retries }) => rows + retries > 0 || (mayHaveNewDeliveries && endpoint.size() > 0));
  const sum = (measure: (endpoint: Endpoint) => number): number =>
    endpoints.reduce((total, { endpoint }) => total + measure(endpoint), 0);
  const share = (free: number): number => Math.max(0, Math.floor(free / Math.max(readers.length, 1)));
  const rowShare = Math.max(MIN_READ_ROWS, share(MAX_PENDING_DELIVERIES - sum(endpoint => endpoint.size())));
  const byteShare = share(MAX_PENDING_BYTES - sum(endpoint => endpoint.bytes()));
  return readers.map(({ id, endpoint, rows, retries }) => ({
    id,
    // An endpoint that holds none of them gets one, whatever its length.
    max_rows: endpoint.firstAttempts.size() > 0 && byteShare === 0 ? 0 : Math.min(rows, rowShare),
    max_retries: endpoint.laterAttempts.size() > 0 && byteShare === 0 ? 0 : Math.min(retries, rowShare),
    max_bytes: Math.max(byteShare, 1),
    from_sequence: isScheduledPoll ? 0 : endpoint.readFrom(),
    held: endpoint.sequences(),
  }));
}
