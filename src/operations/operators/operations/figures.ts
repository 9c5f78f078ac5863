/**
 * What is late, unknown or waiting, as SQL of the environments in $1: for the page of operators and for the metrics. Each
 * statement reads along an index, and no further than it must.
 */

import { INVARIANTS } from '../../../../workflows/contract';
import { isUnheld } from '../../../billing/holds/rows';
import { BOTH_ENVIRONMENTS } from '../../../platform/database/environments';
import { LEASED_PROGRESS } from '../../acquirerOperations';

/** What there is more of is not worth the time. */
const MAX_COUNTED_ROWS = 100_000;

/** By real time: test clocks are only ever ahead. A minute is what a renewal takes on a busy night. */
export const OVERDUE_BY_MERCHANT = `
  select environment::text, merchant_id as merchant, count(*)::float as value,
    extract(epoch from now() - min(due_at))::float as oldest
  from (
    select environment, merchant_id, due_at from subscriptions join merchants on merchants.id = merchant_id
    where subscriptions.status <> 'cancelled' and subscriptions.status <> 'new' and due_at < now() - interval '1 minute'
      and merchants.status = 'active' and environment = any($1::"Environment"[]) and ${isUnheld('subscriptions')}
    order by due_at limit ${MAX_COUNTED_ROWS}
  ) as due
  group by 1, 2`;

export const OVERDUE = `
  select environment, sum(value)::float as value, max(oldest) as oldest from (${OVERDUE_BY_MERCHANT}) as late group by 1`;

/** A capture or a cancellation is unknown once its process has given it up, a charge after a minute. */
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

/** What was to wait has not waited before its time, and what is being done counts only if it failed before. */
export const OUTBOX = `
  select environment::text, kind, count(*)::float as value,
    coalesce(extract(epoch from now() - min(case when tries > 0 then creation_date else again_at end)
      filter (where tries > 0 or again_at <= now())), 0)::float as oldest
  from outbox where environment = any($1::"Environment"[]) group by 1, 2`;

/** What a disabled webhook has in its queue is not sent. */
export const DELIVERIES = `
  select environment::text, count(*)::float as value
  from (
    select merchants.environment from delivery_queue join webhooks on webhooks.id = webhook_id join merchants on merchants.id = merchant_id
    where webhooks.status <> 'disabled' and merchants.environment = any($1::"Environment"[]) limit ${MAX_COUNTED_ROWS}
  ) as queued
  group by 1`;

const audited = [
  `('all', 'books')`,
  ...BOTH_ENVIRONMENTS.flatMap(scope => INVARIANTS.map(name => `('${scope}', '${name}')`)),
];

/** The latest of each, of all environments: that of the books is of both. */
export const AUDIT_RESULTS = `
  select latest.* from (values ${audited.join(', ')}) as known (scope, name),
    lateral (select scope, name, checks, differences, examples, ended_at from audits
      where audits.scope = known.scope and audits.name = known.name order by id desc limit 1) as latest
  where $1::text[] is not null`;
