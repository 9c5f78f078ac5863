-- Retry schedules of plans, and cards that must not be charged again.

-- `daily`, `paydays`, or a list of days after the charge day, in order.
create function is_retry_schedule(schedule jsonb) returns boolean immutable parallel safe language sql as $$
  select case jsonb_typeof(schedule)
    when 'string' then schedule in ('"daily"', '"paydays"')
    when 'array' then jsonb_array_length(schedule) between 1 and 20 and not exists (
      select from (
        select value, lag(value, 1, '0'::jsonb) over (order by place) as previous
        from jsonb_array_elements(schedule) with ordinality as listed (value, place)
      ) as day
      where value::text !~ '^[1-9][0-9]?$' or value > '60'::jsonb or value <= previous)
    else false end
$$;

alter table plans add column retry_schedule jsonb not null default '"daily"';
alter table plans add constraint plans_retry_schedule_check check (is_retry_schedule(retry_schedule)) not valid;

-- A trigger, because a constraint of both columns would concern rows of the previous release.
create function check_retry_days() returns trigger language plpgsql as $$
begin
  if jsonb_array_length(new.retry_schedule) <> new.retry_times then
    raise exception 'plan % has % retries, but not as many retry days', new.id, new.retry_times using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger check_retry_days before insert or update of retry_schedule, retry_times on plans
  for each row when (jsonb_typeof(new.retry_schedule) = 'array') execute function check_retry_days();

-- The decline after which the present card must not be charged again, or not before a time (`until`, in milliseconds).
alter table subscriptions add column card_refusal jsonb;
alter table subscriptions add constraint subscriptions_card_refusal_check check (
  card_refusal is null or coalesce(jsonb_typeof(card_refusal -> 'error_code') = 'number'
    and jsonb_typeof(card_refusal -> 'until') in ('number', 'null'), false)) not valid;

-- The previous release does not clear it when it records a payment.
create function clear_card_refusal() returns trigger language plpgsql as $$
begin
  new.card_refusal := null;
  return new;
end $$;
create trigger clear_card_refusal before update on subscriptions for each row
  when (new.status in ('trial', 'active') and new.card_refusal is not null) execute function clear_card_refusal();
