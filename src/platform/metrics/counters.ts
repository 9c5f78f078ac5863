/** Counters for the metrics page. Labels are fixed words, never IDs. */
import { Counter, Histogram, Registry } from 'prom-client';

export const registry = new Registry();
const registers = [registry];

/** HTTP requests range from a cache lookup to a call of the acquirer. */
const REQUEST_BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export const requests = new Counter({
  name: 'recaudo_requests_total',
  help: 'Completed requests.',
  labelNames: ['environment', 'api', 'operation', 'outcome'],
  registers,
});

export const requestSeconds = new Histogram({
  name: 'recaudo_request_seconds',
  help: 'Time from the arrival of a request to the end of its response.',
  labelNames: ['api', 'operation'],
  buckets: REQUEST_BUCKETS_SECONDS,
  registers,
});

const LIMITS = [
  'key',
  'read',
  'write',
  'card',
  'in_flight',
  'live_streams',
  'open_bodies',
  'wrong_keys',
  'declined_cards',
] as const;
export type LimitName = (typeof LIMITS)[number];

const limitsHit = new Counter({
  name: 'recaudo_limits_hit_total',
  help: 'Requests rejected by a limit.',
  labelNames: ['limit'],
  registers,
});
// Created at zero: a counter that appears with its first event shows no increase.
for (const limit of LIMITS) limitsHit.inc({ limit }, 0);

export const countLimitHit = (limit: LimitName): void => limitsHit.inc({ limit });
