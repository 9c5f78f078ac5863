-- All attempts go through the queue, the later ones too: a row asks for the attempt after so many. Later ones are found by an index of their
-- own, since in the order of the queue they would stand before everything that waits for its first attempt.
alter table delivery_queue
  add column attempts integer not null default 0,
  -- What the queue held when it was last looked at says nothing of what it holds now.
  alter column attempts set statistics 0;
create index delivery_queue_retries on delivery_queue (webhook_id, sequence) where attempts > 0;

-- The status of a delivery and the number of its attempts are true at every moment. Every delivery is written once more for that, in place:
-- neither is in an index, and the page has room for it.
alter table deliveries
  drop constraint deliveries_status_check,
  alter column status set default 'pending',
  set (fillfactor = 50);
update deliveries d set status = 'pending' from delivery_queue q where q.webhook_id = d.webhook_id and q.sequence = d.sequence;
update deliveries d set attempts = logged.attempts
from (select sequence, count(*) as attempts from delivery_attempts group by sequence) logged
where logged.sequence = d.sequence and logged.attempts <> d.attempts;
alter table deliveries
  add constraint deliveries_status_check check (status in ('pending', 'retrying', 'delivered', 'failed'));

-- In the order of the list.
drop index deliveries_webhook_id_creation_date_id_idx;
create index deliveries_webhook_id_creation_date_sequence_idx on deliveries (webhook_id, creation_date desc, sequence desc);
