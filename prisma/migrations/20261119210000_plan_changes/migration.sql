-- Plan changes, quantities, coupons and extras.

create table coupons (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  creation_date timestamptz(3) not null,
  -- In capitals.
  code varchar(50) not null check (code <> '' and code = upper(code)),
  -- Hundredths of a percent.
  percent_off integer check (percent_off between 100 and 10000),
  amount_off bigint check (amount_off > 0),
  duration varchar(10) not null check (duration in ('once', 'periods', 'forever')),
  periods integer check (periods between 1 and 1000),
  max_redemptions integer check (max_redemptions > 0),
  redemptions integer not null default 0 check (redemptions >= 0),
  redeem_by varchar(10),
  plan_ids jsonb,
  status varchar(10) not null default 'active' check (status in ('active', 'deleted')),
  metadata jsonb,
  check (num_nonnulls(percent_off, amount_off) = 1),
  check ((duration = 'periods') = (periods is not null)),
  constraint coupons_redeemed_check check (redemptions <= max_redemptions)
);
create unique index coupons_code on coupons (merchant_id, code) where status = 'active';
create index coupons_list on coupons (merchant_id, status, creation_date desc, id desc);

-- An invoice has the amounts of a period in centavos, if they are not just the amount of the plan.
create function invoice_amount(invoice jsonb) returns bigint immutable parallel safe language sql as $$
  select (invoice ->> 'full_amount')::bigint - (invoice ->> 'discount')::bigint - (invoice ->> 'credit')::bigint
    + coalesce((select sum((extra ->> 'amount')::bigint) from jsonb_array_elements(invoice -> 'extras') as extra), 0)::bigint
$$;

-- As the billing rules reduce the price of a period by a coupon.
create function discount_on(price numeric, discount jsonb) returns numeric immutable parallel safe language sql as $$
  select case when discount is null or discount ->> 'periods_left' = '0' then 0
    else least(price, coalesce((discount ->> 'amount_off')::numeric, round(price * (discount ->> 'percent_off')::numeric / 10000))) end
$$;

alter table subscriptions
  add column quantity integer not null default 1 check (quantity between 1 and 10000),
  -- A change that takes effect when the next period opens.
  add column pending_plan_id varchar(45) references plans (id) on delete restrict on update cascade,
  add column pending_quantity integer check (pending_quantity between 1 and 10000),
  -- Credit from replaced periods, used before the card.
  add column credit_balance bigint not null default 0 check (credit_balance >= 0),
  -- The terms of its coupon.
  add column discount jsonb,
  -- One-off amounts of the next period; null if there are none.
  add column extras jsonb check (jsonb_array_length(extras) between 1 and 100),
  -- The amounts of the latest period.
  add column invoice jsonb,
  add check ((pending_plan_id is null) = (pending_quantity is null)),
  add constraint subscriptions_discount_check check (discount is null or coalesce(
    discount ->> 'coupon_id' <> '' and (discount ->> 'percent_off' is null) <> (discount ->> 'amount_off' is null), false)),
  add constraint subscriptions_invoice_check check (invoice is null or coalesce(
    invoice_amount(invoice) = (invoice ->> 'amount')::bigint and (invoice ->> 'amount')::bigint >= 0, false));
create index subscriptions_pending_plan on subscriptions (pending_plan_id) where pending_plan_id is not null;
create index subscriptions_with_credit on subscriptions (merchant_id, creation_date desc, id desc) where credit_balance > 0;

-- Whether the next charges of a subscription follow from plan, quantity and planned change alone.
create function is_priced_by_plan(status varchar, current_period_number integer, credit_balance bigint, extras jsonb,
  discount jsonb, invoice jsonb) returns boolean immutable parallel safe language sql as $$
  select status not in ('trial', 'active', 'past_due') or (credit_balance = 0 and extras is null
    and coalesce(discount ->> 'periods_left' = '0', discount is null)
    and (invoice is null or (status <> 'past_due' and (invoice ->> 'period')::integer <= current_period_number)))
$$;

-- The statistics count from these indexes alone, except for paused subscriptions and for those priced apart.
drop index subscriptions_stats;
create index subscriptions_stats on subscriptions
  (merchant_id, status, plan_id, charge_date, first_charge_day, cancel_at_period_end, pending_plan_id, quantity, pending_quantity)
  where not is_paused and is_priced_by_plan(status, current_period_number, credit_balance, extras, discount, invoice);
create index subscriptions_priced_apart on subscriptions (merchant_id, status, plan_id, charge_date)
  where not is_priced_by_plan(status, current_period_number, credit_balance, extras, discount, invoice);
drop index subscriptions_paused;
create index subscriptions_paused on subscriptions (merchant_id, status, plan_id, paused_from, quantity) where is_paused;

alter table transactions add column invoice jsonb;
-- A trigger, because a constraint of both columns would concern rows of the previous release.
create function check_invoice() returns trigger language plpgsql as $$
begin
  if invoice_amount(new.invoice) is distinct from new.amount then
    raise exception 'the invoice of % is not of %', new.id, new.amount using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger check_invoice before insert or update of amount, invoice on transactions
  for each row when (new.invoice is not null) execute function check_invoice();

-- What a line of a history tells about a change: plan, quantity, amounts, coupon.
alter table subscription_lines add column details jsonb;
-- The charge of a declined change is no declined renewal.
create index subscription_lines_declined_changes on subscription_lines (subscription_id) where event = 'change_declined';

-- The day of the next charge depends on the plan too.
drop trigger set_next_charge_date on subscriptions;
create trigger set_next_charge_date before update on subscriptions for each row
  when ((old.first_charge_day, old.current_period_number, old.anchor_period, old.is_paused, old.resume_date, old.plan_id)
    is distinct from (new.first_charge_day, new.current_period_number, new.anchor_period, new.is_paused, new.resume_date, new.plan_id))
  execute function set_charge_date();

-- Counts redemptions: a coupon of a subscription, or of a change whose charge is in progress. A check keeps the maximum.
-- A change that was declined and a subscription that was never visible return theirs.
create function redeem_coupon(coupon varchar) returns void language plpgsql as $$
begin
  update coupons set redemptions = redemptions + 1 where id = coupon and status = 'active';
  if not found then
    raise exception 'coupon % cannot be redeemed', coupon using errcode = 'check_violation';
  end if;
end $$;
create function count_redemptions() returns trigger language plpgsql as $$
declare
  held varchar := case when tg_op <> 'INSERT' then old.discount ->> 'coupon_id' end;
  reserved varchar := case when tg_op <> 'INSERT' then old.open #>> '{replacement,discount,coupon_id}' end;
  holds varchar := case when tg_op <> 'DELETE' then new.discount ->> 'coupon_id' end;
  reserves varchar := case when tg_op <> 'DELETE' then new.open #>> '{replacement,discount,coupon_id}' end;
begin
  if reserves is not null and reserves is distinct from held and reserves is distinct from reserved then
    perform redeem_coupon(reserves);
  end if;
  if holds is not null and holds is distinct from held and holds is distinct from reserved then
    perform redeem_coupon(holds);
  end if;
  if reserved is distinct from held and reserved is distinct from holds and reserved is distinct from reserves then
    update coupons set redemptions = redemptions - 1 where id = reserved;
  end if;
  if tg_op = 'DELETE' then
    update coupons set redemptions = redemptions - 1 where id = held;
  end if;
  return null;
end $$;
create trigger count_first_redemption after insert on subscriptions for each row
  when (new.discount is not null) execute function count_redemptions();
create trigger count_redemption after update on subscriptions for each row
  when (old.discount ->> 'coupon_id' is distinct from new.discount ->> 'coupon_id'
    or old.open #>> '{replacement,discount,coupon_id}' is distinct from new.open #>> '{replacement,discount,coupon_id}')
  execute function count_redemptions();
create trigger return_redemption after delete on subscriptions for each row
  when (old.discount is not null) execute function count_redemptions();
