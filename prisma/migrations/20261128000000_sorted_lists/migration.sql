-- Lists that are sorted otherwise than by creation, each in the order of its cursors. Of subscriptions without the cancelled ones: their next
-- charges lie in the past, and would all be passed on the way to those that come.
create index transactions_sorted_by_amount on transactions (merchant_id, transaction_type, amount, id);
create index customers_sorted_by_name on customers (merchant_id, search_text(name || ' ' || coalesce(last_name, '')), id) where status = 'active';
create index subscriptions_sorted_by_charge_date on subscriptions (merchant_id, charge_date, id) where status <> 'cancelled';
