/**
 * Integrity of the audit log: no entry was changed, deleted or left unsealed. The hash is computed here, because a
 * function of the database could have been replaced.
 */
import type { Check } from './checks';

const PLACED = `
  select s.chain, s.number, s.hash, s.entry_id, lag(s.number) over place as previous_number, lag(s.hash) over place as previous_hash,
    c.number as checkpoint, c.hash as checkpoint_hash
  from audit_seals s left join audit_checkpoints c on c.chain = s.chain
  window place as (partition by s.chain order by s.number)`;

const HEADS = `
  select b.number as batch, b.date, head ->> 0 as chain, (head ->> 1)::bigint as number, decode(head ->> 2, 'hex') as hash
  from audit_batches b cross join jsonb_array_elements(b.heads) as head`;

const HASH = `sha256(coalesce(placed.previous_hash, placed.checkpoint_hash, ''::bytea) || convert_to(jsonb_build_array(
  l.id, l.merchant_id, extract(epoch from l.creation_date), l.actor, l.actor_id, l.action, l.object_id, l.address,
  l.request_id, l.before, l.after)::text, 'UTF8'))`;

export const auditLogChecks: Check[] = [
  {
    title: 'audit log chains have no gaps',
    count: 'select count(*) from audit_seals',
    differences: `select chain || ' has ' || number || ' after ' || coalesce(previous_number, checkpoint, 0) as difference
      from (${PLACED}) as placed where number <> coalesce(previous_number, checkpoint, 0) + 1`,
  },
  {
    title: 'audit log entries are unchanged',
    count: 'select count(*) from audit_log',
    differences: `select placed.chain || ' ' || placed.number || case when l.id is null then ' is missing' else ' was changed' end as difference
      from (${PLACED}) as placed left join audit_log l on l.id = placed.entry_id
      where l.id is null or placed.hash <> ${HASH}`,
  },
  {
    title: 'audit log entries are sealed',
    count: 'select count(*) from audit_log',
    differences: `select 'entry ' || l.id || ' has been unsealed since ' || l.creation_date as difference
      from audit_log l left join audit_seals s on s.entry_id = l.id
      where s.entry_id is null and l.creation_date < now() - interval '5 minutes'`,
  },
  {
    title: 'audit log chains match their signed heads',
    count: `select count(*) from (${HEADS}) as h`,
    differences: `select h.chain || ' ' || h.number || ' is signed, but ' || case when s.hash is null then 'missing' else 'different' end as difference
      from (${HEADS}) as h left join audit_seals s on s.chain = h.chain and s.number = h.number
        left join audit_checkpoints c on c.chain = h.chain
      where s.hash is distinct from h.hash and (c.number is null or h.number > c.number)`,
  },
  {
    title: 'audit log chains are signed to their end',
    count: 'select count(distinct chain) from audit_seals',
    differences: `select s.chain || ' ' || s.number || ' is not signed' as difference
      from (select chain, max(number) as number from audit_seals group by chain) as s
        left join (select chain, max(number) as number from (${HEADS}) as h group by chain) as signed on signed.chain = s.chain
      where s.number > coalesce(signed.number, 0)`,
  },
  {
    title: 'audit log checkpoints were signed 13 months ago',
    count: 'select count(*) from audit_checkpoints',
    differences: `select c.chain || ' has an unproven checkpoint at ' || c.number as difference from audit_checkpoints c
      where not exists (select from (${HEADS}) as h where h.batch = c.batch and h.chain = c.chain and h.number = c.number
        and h.hash = c.hash and h.date < now() - interval '13 months')`,
  },
];
