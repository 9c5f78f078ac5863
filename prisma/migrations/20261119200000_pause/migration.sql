-- Pauses: from the request on, `paused_from` is the day on which the next period would open, and charge_date the day of
-- the resumption, if it is later.
alter table subscriptions
  -- The period whose charge day is first_charge_day: a resumption begins a period on a day of its own.
  add column anchor_period integer not null default 1 check (anchor_period > 0),
  add column is_paused boolean not null default false,
  add column resume_date varchar(10),
  -- Written by a trigger.
  add column paused_from varchar(10),
  add check (is_paused or resume_date is null),
  add check (is_paused = (paused_from is not null));

create or replace function set_charge_date() returns trigger language plpgsql as $$
declare regular varchar;
begin
  select nth_charge_day(new.first_charge_day, new.current_period_number + 2 - new.anchor_period, repeat_every, repeat_unit)
  into regular from plans where id = new.plan_id;
  new.charge_date := greatest(regular, new.resume_date);
  new.paused_from := case when new.is_paused then regular end;
  return new;
end $$;
drop trigger set_next_charge_date on subscriptions;
create trigger set_next_charge_date before update on subscriptions for each row
  when ((old.first_charge_day, old.current_period_number, old.anchor_period, old.is_paused, old.resume_date)
    is distinct from (new.first_charge_day, new.current_period_number, new.anchor_period, new.is_paused, new.resume_date))
  execute function set_charge_date();

-- Paused subscriptions are few and are counted by their own days.
drop index subscriptions_stats;
create index subscriptions_stats on subscriptions
  (merchant_id, status, plan_id, charge_date, first_charge_day, cancel_at_period_end) where not is_paused;
create index subscriptions_paused on subscriptions (merchant_id, status, plan_id, paused_from) where is_paused;
