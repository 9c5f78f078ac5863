-- Payouts: what a merchant has goes to its bank account. They are transactions too, and 'sending' until the acquirer has answered.
alter table transactions
  drop constraint transactions_transaction_type_check,
  add constraint transactions_transaction_type_check check (transaction_type in ('charge', 'refund', 'fee', 'payout')),
  drop constraint transactions_progress_check,
  add constraint transactions_progress_check
    check (progress in ('prepared', 'authorized', 'capturing', 'voiding', 'pending', 'paying', 'sending', 'settled')),
  add constraint transactions_sending_check check (progress <> 'sending' or transaction_type = 'payout');

create index transactions_sending on transactions (merchant_id, creation_date) where progress = 'sending';

-- Where a merchant is paid. The newest holds; earlier ones stay for the payouts that went there.
create table bank_accounts (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants on update cascade on delete restrict,
  creation_date timestamptz(3) not null default current_timestamp,
  bank varchar(100) not null,
  type varchar(10) not null check (type in ('savings', 'checking')),
  -- Only its last four digits can be read.
  number varchar(20) not null check (number ~ '^X*[0-9]{4}$'),
  number_sealed bytea not null
);
create index bank_accounts_merchant_id_creation_date_id_idx on bank_accounts (merchant_id, creation_date desc, id desc);

-- The letter about a new bank account goes out where its merchant belongs.
create or replace function environment_of(kind varchar, object varchar) returns "Environment" stable language sql as $$
  select coalesce((select environment from merchants where id = case
    when kind in ('subscription', 'nudge') then (select merchant_id from subscriptions where id = object)
    when kind = 'delivery' then (select merchant_id from webhooks where id = (select webhook_id from deliveries where id = object))
    when kind = 'webhook_mail' then (select merchant_id from webhooks where id = object)
    when kind = 'customer' then (select merchant_id from customers where id = object)
    when kind = 'bank_account_mail' then (select merchant_id from bank_accounts where id = object)
    else (select merchant_id from transactions where id = object)
  end), 'sandbox')
$$;
