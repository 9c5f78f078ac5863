-- A delivery that arrives at once is never written to: it leaves the queue, and its attempt is logged. So attempts have rows of their own, by
-- the number of their delivery: what is written together lies together.
create table delivery_attempts (
  sequence bigint not null,
  number integer not null,
  date timestamptz(3) not null default current_timestamp,
  status integer,
  answer varchar(1000),
  error varchar(250),
  duration integer not null,
  primary key (sequence, number)
);
insert into delivery_attempts (sequence, number, date, status, answer, error, duration)
select d.sequence, a.number, (a.entry ->> 'date')::timestamptz, (a.entry ->> 'status')::integer, a.entry ->> 'answer', a.entry ->> 'error',
  (a.entry ->> 'duration')::integer
from deliveries d cross join lateral jsonb_array_elements(d.log) with ordinality as a (entry, number);

alter table deliveries
  drop column log,
  drop constraint deliveries_status_check,
  -- How it stands once it has left the queue.
  alter column status set default 'delivered',
  reset (fillfactor);
update deliveries set status = 'delivered' where status = 'new';
alter table deliveries add constraint deliveries_status_check check (status in ('retrying', 'delivered', 'failed'));

-- Whatever deletes a delivery, the queue and the log follow.
drop trigger unqueue_deliveries on deliveries;
drop function unqueue_deliveries;
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
