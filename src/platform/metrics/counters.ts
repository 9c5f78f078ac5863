/** What a process counts while it works, for its metrics page. Labels are words of the program, never ids. */
import { Counter, Histogram, Registry } from 'prom-client';

export const registry = new Registry();
const registers = [registry];

/** Of HTTP, from a lookup in a cache to a request that waits for the acquirer. */
const REQUEST_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export const requests = new Counter({
  name: 'recaudo_requests_total',
  help: 'Requests that were answered.',
  labelNames: ['environment', 'api', 'operation', 'outcome'],
  registers,
});

export const requestSeconds = new Histogram({
  name: 'recaudo_request_seconds',
  help: 'From the arrival of a request to the end of its answer.',
  labelNames: ['api', 'operation'],
  buckets: REQUEST_BUCKETS_SECONDS,
  registers,
});

const LIMITS = ['key', 'read', 'write', 'card', 'in_flight', 'live_streams', 'wrong_keys', 'declined_cards'] as const;
export type LimitName = (typeof LIMITS)[number];

const limitsHit = new Counter({
  name: 'recaudo_limits_hit_total',
  help: 'Requests that were refused because of a limit.',
  labelNames: ['limit'],
  registers,
});
// Each is there from the beginning: a counter that appears with its first event shows no increase.
for (const limit of LIMITS) limitsHit.inc({ limit }, 0);

export const countLimitHit = (limit: LimitName): void => limitsHit.inc({ limit });
