import type { Check } from './checks';

const WITH_QUEUE = 'left join delivery_queue q on q.webhook_id = d.webhook_id and q.sequence = d.sequence';

/** Invariants of webhook deliveries: status, queue and attempt log are consistent. */
export const deliveryChecks: Check[] = [
  {
    title: 'exactly the deliveries queued for their first attempt are pending',
    count: 'select count(*) from deliveries',
    differences: `select d.id || ' is ' || d.status || ', ' || case when q.attempts = 0 then '' else 'not ' end || 'queued for its first attempt, with '
        || l.logged || ' logged' as difference
      from deliveries d ${WITH_QUEUE}, lateral (select count(*) as logged from delivery_attempts where sequence = d.sequence) l
      where (d.status = 'pending') <> coalesce(q.attempts = 0, false) or (d.status = 'pending' and l.logged > 0)`,
  },
  {
    title: 'exactly the deliveries whose last attempt got a 2xx response are delivered',
    count: `select count(*) from deliveries where status = 'delivered'`,
    differences: `select d.id || ' is ' || d.status || ', its last attempt got ' || coalesce(l.status::text, 'no response') as difference
      from deliveries d left join lateral (select status from delivery_attempts where sequence = d.sequence order by number desc limit 1) l on true
      where (d.status = 'delivered') <> coalesce(l.status between 200 and 299, false)`,
  },
  {
    title: 'attempt counts of deliveries equal their logged attempts',
    count: 'select count(*) from delivery_attempts',
    differences: `select d.id || ' has ' || d.attempts || ' attempts, logged: ' || coalesce(l.numbers, 'none') as difference
      from deliveries d, lateral (select string_agg(number::text, ' ' order by number) as numbers, count(*) as logged, max(number) as latest
        from delivery_attempts where sequence = d.sequence) l
      where d.attempts <> l.logged or l.latest <> l.logged`,
  },
  {
    title: 'exactly the deliveries being retried have a next attempt',
    count: `select count(*) from deliveries where status = 'retrying'`,
    differences: `select d.id || ' is ' || d.status || ', its next attempt is ' || coalesce(d.next_at::text, 'never') as difference
      from deliveries d ${WITH_QUEUE}
      where (d.status = 'retrying' and d.next_at is null and q.attempts is null) or (d.status <> 'retrying' and d.next_at is not null)`,
  },
  {
    title: 'queued deliveries are unsent, and queued for their next attempt',
    count: 'select count(*) from delivery_queue',
    differences: `select q.delivery_id || ' is queued after ' || q.attempts || ' attempts, and is '
        || coalesce(d.status || ' after ' || d.attempts, 'missing') as difference
      from delivery_queue q left join deliveries d
        on (d.id, d.webhook_id, d.sequence, d.event_id) = (q.delivery_id, q.webhook_id, q.sequence, q.event_id)
      where d.id is null or d.attempts <> q.attempts or d.status not in ('pending', 'retrying')`,
  },
  {
    title: 'logged attempts belong to a delivery',
    count: 'select count(distinct sequence) from delivery_attempts',
    differences: `select 'attempt ' || number || ' of ' || a.sequence || ' belongs to no delivery' as difference
      from delivery_attempts a left join deliveries d on d.sequence = a.sequence where d.id is null`,
  },
];
