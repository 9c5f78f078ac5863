-- When a subscription ended, by its own clock, so that those lost in a span of days can be counted. A trigger writes it, whichever program
-- ends the subscription.
alter table subscriptions add column ended_at timestamptz(3);
update subscriptions s set ended_at = (select max(date) from subscription_lines l where l.subscription_id = s.id and l.event in
    ('cancelled_by_merchant', 'cancelled_by_operator', 'customer_deleted', 'period_ended', 'retries_exhausted', 'left_unpaid'))
where status = 'cancelled';

create function set_ended_at() returns trigger language plpgsql as $$
begin
  new.ended_at := coalesce(new.clock_at,
    now() + make_interval(secs => greatest(new.clock_offset, clock_offset_of(new.merchant_id, new.customer_id))));
  return new;
end $$;
create trigger set_ended_at before update on subscriptions for each row
  when (old.status <> 'cancelled' and new.status = 'cancelled') execute function set_ended_at();

-- Subscriptions by status and plan, and by what says when they are charged: counted from the index alone. Those that are charged together
-- have the same key, so that it stays small.
create index subscriptions_stats on subscriptions (merchant_id, status, plan_id, charge_date, first_charge_day, cancel_at_period_end);
create index subscriptions_ended on subscriptions (merchant_id, ended_at) where ended_at is not null;

-- What was charged on which day, read from the index alone. Only of what is settled, so that a charge is entered once and not when it begins.
create index transactions_stats on transactions (merchant_id, creation_date) include (status, error_code, amount)
  where transaction_type = 'charge' and progress = 'settled';
