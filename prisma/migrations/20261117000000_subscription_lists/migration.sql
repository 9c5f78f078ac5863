-- Subscriptions are listed by the day of their next charge. The billing rules compute it from the terms of the plan; so that the lists can
-- use an index, the row keeps it too. A trigger does, whichever program writes the row. A test compares it with the billing rules.
create function nth_charge_day(first varchar, n integer, every integer, unit varchar) returns varchar language sql stable as $$
  select to_char(first::date + (n - 1) * every * case unit
    when 'week' then interval '1 week' when 'month' then interval '1 month' when 'year' then interval '1 year' end, 'YYYY-MM-DD')
$$;

create function set_charge_date() returns trigger language plpgsql as $$
begin
  select nth_charge_day(new.first_charge_day, new.current_period_number + 1, repeat_every, repeat_unit)
  into new.charge_date from plans where id = new.plan_id;
  return new;
end $$;

alter table subscriptions add column charge_date varchar(10) not null default '';
update subscriptions s set charge_date = nth_charge_day(s.first_charge_day, s.current_period_number + 1, p.repeat_every, p.repeat_unit)
from plans p where p.id = s.plan_id;

create trigger set_first_charge_date before insert on subscriptions for each row execute function set_charge_date();
create trigger set_next_charge_date before update on subscriptions for each row
  when ((old.first_charge_day, old.current_period_number) is distinct from (new.first_charge_day, new.current_period_number))
  execute function set_charge_date();

create index subscriptions_list_by_status on subscriptions (merchant_id, status, creation_date desc, id desc);
create index subscriptions_list_by_charge_date on subscriptions (merchant_id, charge_date);
