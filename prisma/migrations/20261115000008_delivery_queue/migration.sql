-- What waits for its first attempt stands in a queue of its own, which stays small however much there has been; and a webhook is served by
-- one process at a time, so that nothing need be written to take a delivery. One that arrives at once is never written to: it leaves the
-- queue, and its attempt is logged.
alter table webhooks
  add column served_by uuid,
  add column served_until timestamptz(3);

drop index deliveries_new;
drop index deliveries_in_order;
drop index deliveries_retrying;

create table delivery_queue (
  webhook_id varchar(45) not null,
  sequence bigint not null,
  delivery_id varchar(45) not null,
  event_id varchar(45) not null,
  primary key (webhook_id, sequence)
);
insert into delivery_queue (webhook_id, sequence, delivery_id, event_id)
select webhook_id, sequence, id, event_id from deliveries where status = 'new';

alter table deliveries
  drop column object_id,
  drop constraint deliveries_status_check,
  -- How it stands once it has left the queue.
  alter column status set default 'delivered',
  -- When it is tried again; null for what is not.
  alter column next_at drop default,
  alter column next_at drop not null;
update deliveries set status = 'delivered' where status = 'new';
update deliveries set next_at = null where status <> 'retrying';
alter table deliveries add constraint deliveries_status_check check (status in ('retrying', 'delivered', 'failed'));
create index deliveries_next_at on deliveries (next_at) where next_at is not null;
create index deliveries_creation_date_idx on deliveries (creation_date);

-- By the number of their delivery, so that what is written together lies together.
alter table delivery_attempts add column sequence bigint;
update delivery_attempts a set sequence = d.sequence from deliveries d where d.id = a.delivery_id;
drop index delivery_attempts_creation_date_idx;
alter table delivery_attempts
  drop column delivery_id,
  add primary key (sequence, number);
alter table delivery_attempts rename column creation_date to date;
alter table delivery_attempts rename column ms to duration;

-- Whatever makes a delivery or deletes it, the queue and the log follow. Nobody is notified here: commits that notify go one behind the other.
create function queue_deliveries() returns trigger language plpgsql as $$
begin
  insert into delivery_queue (webhook_id, sequence, delivery_id, event_id)
  select webhook_id, sequence, id, event_id from new_deliveries;
  return null;
end $$;
create trigger queue_deliveries after insert on deliveries referencing new table as new_deliveries
  for each statement execute function queue_deliveries();

create function forget_deliveries() returns trigger language plpgsql as $$
begin
  -- In this order: who is just writing one down holds its place in the queue, and has logged it when that is free. Planned anew each time: a
  -- plan that was made for an empty queue would read a full one for each of them.
  execute 'delete from delivery_queue q using old_deliveries d where q.webhook_id = d.webhook_id and q.sequence = d.sequence';
  execute 'delete from delivery_attempts a using old_deliveries d where a.sequence = d.sequence';
  return null;
end $$;
create trigger forget_deliveries after delete on deliveries referencing old table as old_deliveries
  for each statement execute function forget_deliveries();

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
