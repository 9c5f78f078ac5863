-- contracts: 1.0, whose charges of a period could not be cancelled. It keeps working: the index covers fewer rows.
--
-- The payer of a subscription can pay a due period at a bank, in a store or on a page. Such a payment can expire, and
-- another charge can pay the period then. A payment that arrives when nothing is due belongs to no period.
alter table transactions drop constraint transactions_check1;
create unique index transactions_paid_period on transactions (subscription_id, period)
  where subscription_id is not null and status <> 'failed' and (page_key is null or status <> 'cancelled');
drop index transactions_period;
