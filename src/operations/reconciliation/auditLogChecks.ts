/** Integrity of the audit log: no entry was changed, deleted or left unsealed. */
import type { Check } from './checks';

const PLACED = `
  select s.chain, s.number, s.hash, s.entry_id, lag(s.number) over place as previous_number, lag(s.hash) over place as previous_hash,
    c.number as checkpoint, c.hash as checkpoint_hash
  from audit_seals s left join audit_checkpoints c on c.chain = s.chain
  window place as (partition by s.chain order by s.number)`;

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
      where l.id is null or placed.hash <> audit_hash(coalesce(placed.previous_hash, placed.checkpoint_hash, ''::bytea), l)`,
  },
  {
    title: 'audit log entries are sealed',
    count: 'select count(*) from audit_log',
    differences: `select 'entry ' || l.id || ' has been unsealed since ' || l.creation_date as difference
      from audit_log l left join audit_seals s on s.entry_id = l.id
      where s.entry_id is null and l.creation_date < now() - interval '5 minutes'`,
  },
];
