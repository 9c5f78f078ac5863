-- Payments that wait for their payer. What is reserved or waits runs out at `expires_at`, by its own clock.
alter table transactions
  add column expires_at timestamptz(3),
  -- Where the payer is sent afterwards; the payer's page here, and at which address it was when it was made.
  add column redirect_url varchar(2048),
  add column page_key varchar(45),
  add column page_origin varchar(300),
  -- What the acquirer gave out: the references of a voucher, or the address at the bank.
  add column issued jsonb,
  add column send_email boolean not null default false,
  -- Cards that were declined on its page before the latest one.
  add column declines integer not null default 0,
  drop constraint transactions_progress_check,
  -- It waits for its payer (pending), or the payer's card is being charged (paying).
  add constraint transactions_progress_check
    check (progress in ('prepared', 'authorized', 'capturing', 'voiding', 'pending', 'paying', 'settled')),
  add constraint transactions_waiting_check check (progress not in ('pending', 'paying') or (page_key is not null and expires_at is not null)),
  add constraint transactions_page_check check ((page_key is null) = (page_origin is null));

update transactions set expires_at = creation_date + interval '7 days' where not capture;

create unique index transactions_page on transactions (page_key) where page_key is not null;
create unique index transactions_reference on transactions ((issued ->> 'reference')) where issued ? 'reference';

drop index transactions_unfinished;
create index transactions_unfinished on transactions (lease_until) where progress in ('prepared', 'capturing', 'voiding', 'paying');
drop index transactions_reserved;
create index transactions_expiring on transactions (merchant_id, expires_at)
  where progress in ('authorized', 'capturing', 'voiding', 'pending', 'paying');

-- One word for both: what runs out is looked at.
update outbox set kind = 'expiry' where kind = 'authorized';
create index outbox_kind_again_at_idx on outbox (kind, again_at);
