-- What waits for its first attempt stands in a queue of its own, which stays small however much there has been; and a webhook is served by
-- one process at a time, so that nothing need be written to take a delivery. What became of it is then one write in place: nothing that
-- changes with an attempt is in an index, and the page has room for it.
alter table webhooks
  add column served_by uuid,
  add column served_until timestamptz(3);

drop index deliveries_new;
drop index deliveries_in_order;
drop index deliveries_retrying;
alter table deliveries
  drop column object_id,
  -- Its attempts, oldest first.
  add column log jsonb not null default '[]',
  -- When it is tried again; null for what is not.
  alter column next_at drop default,
  alter column next_at drop not null,
  set (fillfactor = 40);
update deliveries d set
  next_at = case when status = 'retrying' then next_at end,
  log = coalesce((
    select jsonb_agg(
      jsonb_build_object('date', creation_date, 'status', a.status, 'answer', answer, 'error', error, 'duration', ms) order by number)
    from delivery_attempts a where delivery_id = d.id), '[]');
drop table delivery_attempts;
create index deliveries_next_at on deliveries (next_at) where next_at is not null;
create index deliveries_creation_date_idx on deliveries (creation_date);

create table delivery_queue (
  webhook_id varchar(45) not null,
  sequence bigint not null,
  delivery_id varchar(45) not null,
  event_id varchar(45) not null,
  primary key (webhook_id, sequence)
);
insert into delivery_queue (webhook_id, sequence, delivery_id, event_id)
select webhook_id, sequence, id, event_id from deliveries where status = 'new';

-- Whatever makes a delivery or deletes it, the queue follows. Nobody is notified here: commits that notify go one behind the other.
create function queue_deliveries() returns trigger language plpgsql as $$
begin
  insert into delivery_queue (webhook_id, sequence, delivery_id, event_id)
  select webhook_id, sequence, id, event_id from new_deliveries;
  return null;
end $$;
create trigger queue_deliveries after insert on deliveries referencing new table as new_deliveries
  for each statement execute function queue_deliveries();

create function unqueue_deliveries() returns trigger language plpgsql as $$
begin
  delete from delivery_queue q using old_deliveries d where q.webhook_id = d.webhook_id and q.sequence = d.sequence;
  return null;
end $$;
create trigger unqueue_deliveries after delete on deliveries referencing old table as old_deliveries
  for each statement execute function unqueue_deliveries();

create or replace function deliver_events() returns trigger language plpgsql as $$
begin
  insert into deliveries (id, webhook_id, event_id)
  select new_delivery_id(), webhooks.id, e.id
  from new_events e join webhooks on webhooks.merchant_id = e.merchant_id
  where webhooks.status = 'verified' and e.type not in ('verification', 'test')
    and (cardinality(webhooks.event_types) = 0 or e.type = any (webhooks.event_types))
  order by e.sequence
  -- One that is being deleted is waited for, and then is not there: a charge does not fail for it.
  for key share of webhooks;
  return null;
end $$;
