/**
 * SQL of the operators' page and the metrics: overdue, unknown and pending work of the environments in $1. Each query
 * reads along an index and is limited.
 */

import { INVARIANTS } from '../../../../workflows/contract';
import { whereNotHeld } from '../../../billing/holds/rows';
import { BOTH_ENVIRONMENTS } from '../../../platform/database/environments';
import { LEASED_PROGRESS } from '../../acquirerOperations';

/** Limits the cost of counting. */
const MAX_COUNTED_ROWS = 100_000;

/** Uses real time: test clocks are never behind. One minute is normal under load. */
export const OVERDUE_BY_MERCHANT = `
  select environment::text, merchant_id as merchant, count(*)::float as value,
    extract(epoch from now() - min(due_at))::float as oldest
  from (
    select environment, merchant_id, due_at from subscriptions join merchants on merchants.id = merchant_id
    where subscriptions.status <> 'cancelled' and subscriptions.status <> 'new' and due_at < now() - interval '1 minute'
      and merchants.status = 'active' and environment = any($1::"Environment"[]) and ${whereNotHeld('subscriptions')}
    order by due_at limit ${MAX_COUNTED_ROWS}
  ) as due
  group by 1, 2`;

export const OVERDUE = `
  select environment, sum(value)::float as value, max(oldest) as oldest from (${OVERDUE_BY_MERCHANT}) as late group by 1`;

/** Captures and cancellations are unknown after their lease expires, charges after a minute. */
const UNKNOWN_ROWS = `
  from transactions join merchants on merchants.id = merchant_id
  where progress in (${LEASED_PROGRESS})
    and (lease_until < now() or (progress = 'prepared'
      and transactions.creation_date - make_interval(secs => transactions.clock_offset) < now() - interval '1 minute'))
    and merchants.environment = any($1::"Environment"[])`;

export const UNKNOWNS = `select merchants.environment::text, count(*)::float as value ${UNKNOWN_ROWS} group by 1`;

export const OLDEST_UNKNOWNS = `
  select transactions.id, merchant_id, merchants.environment::text, transaction_type, progress, subscription_id,
    transactions.creation_date - make_interval(secs => transactions.clock_offset) as since
  ${UNKNOWN_ROWS} order by since, id limit 20`;

/** Age counts from when a row was due. A leased row counts only if it failed before. */
export const OUTBOX = `
  select environment::text, kind, count(*)::float as value,
    coalesce(extract(epoch from now() - min(case when tries > 0 then creation_date else again_at end)
      filter (where tries > 0 or again_at <= now())), 0)::float as oldest
  from outbox where environment = any($1::"Environment"[]) group by 1, 2`;

/** Excludes the queues of disabled webhooks. */
export const DELIVERIES = `
  select environment::text, count(*)::float as value
  from (
    select merchants.environment from delivery_queue join webhooks on webhooks.id = webhook_id join merchants on merchants.id = merchant_id
    where webhooks.status <> 'disabled' and merchants.environment = any($1::"Environment"[]) limit ${MAX_COUNTED_ROWS}
  ) as queued
  group by 1`;

const invariants = [
  `('all', 'books')`,
  ...BOTH_ENVIRONMENTS.flatMap(scope => INVARIANTS.map(name => `('${scope}', '${name}')`)),
];

/** Latest result of each invariant, for all environments. */
export const AUDIT_RESULTS = `
  select latest.* from (values ${invariants.join(', ')}) as known (scope, name),
    lateral (select scope, name, checks, differences, examples, ended_at from audits
      where audits.scope = known.scope and audits.name = known.name order by id desc limit 1) as latest
  where $1::text[] is not null`;
