-- Most subscriptions have one unit of their plan and no planned change. Statistics count these from a narrow index, and
-- read quantities and planned changes only of the rest.
drop index subscriptions_stats;
create index subscriptions_stats on subscriptions
  (merchant_id, status, plan_id, charge_date, first_charge_day, cancel_at_period_end)
  where not is_paused and quantity = 1 and pending_plan_id is null
    and is_priced_by_plan(status, current_period_number, credit_balance, extras, discount, invoice);
create index subscriptions_stats_quantities on subscriptions
  (merchant_id, status, plan_id, charge_date, first_charge_day, cancel_at_period_end, pending_plan_id, quantity, pending_quantity)
  where not is_paused and (quantity <> 1 or pending_plan_id is not null)
    and is_priced_by_plan(status, current_period_number, credit_balance, extras, discount, invoice);
