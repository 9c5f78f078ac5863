import type { Endpoint } from './endpoint';
import type { ReadRequest } from './rows';

/** Limits for all endpoints of this process. */
const MAX_PENDING_DELIVERIES = 10_000;
const MAX_PENDING_BYTES = 24 * 1024 * 1024;
/** Guaranteed to every endpoint, regardless of the memory that other endpoints use. */
const MIN_READ_ROWS = 5;

/**
 * Divides the free memory of the process evenly among the endpoints that can accept deliveries. After a notification, full
 * endpoints are read too, with a limit of 0, because their secret may have been rotated.
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
    // An empty endpoint gets one delivery regardless of its size.
    max_rows: endpoint.firstAttempts.size() > 0 && byteShare === 0 ? 0 : Math.min(rows, rowShare),
    max_retries: endpoint.laterAttempts.size() > 0 && byteShare === 0 ? 0 : Math.min(retries, rowShare),
    max_bytes: Math.max(byteShare, 1),
    from_sequence: isScheduledPoll ? 0 : endpoint.readFrom(),
    held: endpoint.sequences(),
  }));
}
