-- The credit of subscriptions that have ended is owed to their payers, so it is not available for payouts. Credit of a
-- customer with an account is in that account.
create or replace function available_balance(merchant varchar) returns numeric stable language sql as $$
  with refunded as materialized (
    select parent_id, sum(amount)::bigint as amount,
      sum(amount - coalesce(fee_amount, 0) - coalesce(fee_tax, 0))::bigint as net
    from transactions
    where merchant_id = merchant and transaction_type = 'refund' and method <> 'customer' and not conciliated
      and status <> 'failed'
    group by parent_id
  ), unsettled as materialized (
    select account, sum(greatest(0, case when account like 'merchant %'
        then t.amount - coalesce(fee_amount, 0) - coalesce(fee_tax, 0) - coalesce(refunded.net, 0)
        else t.amount - coalesce(refunded.amount, 0) end)) as amount
    from transactions t left join refunded on refunded.parent_id = t.id
    where merchant_id = merchant and transaction_type = 'charge' and not conciliated
      and status in ('completed', 'chargeback_adjustment')
    group by account
  )
  select greatest(0, account_balance('merchant ' || merchant) - reserve - coalesce((
    select sum(case when unsettled.account like 'merchant %' then unsettled.amount
      else greatest(0, unsettled.amount - greatest(0, account_balance(unsettled.account))) end)
    from unsettled where unsettled.account like 'merchant %' or (
      select fee.id from transactions fee where fee.customer_id = substr(unsettled.account, 10)
        and fee.transaction_type = 'fee' and fee.status = 'completed' limit 1) is not null), 0) - coalesce((
    select sum(s.credit_balance) from subscriptions s join customers c on c.id = s.customer_id
    where s.merchant_id = merchant and s.credit_balance > 0 and s.status = 'cancelled' and not c.requires_account), 0))
  from merchants where id = merchant
$$;
