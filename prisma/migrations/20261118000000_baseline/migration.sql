-- The schema of 1.0.0, by topic:
--
--    1. Foundations            7. Transactions               13. Requests
--    2. Merchants              8. Ledger                     14. Audit log
--    3. Customers              9. Settlements                15. Limits and fraud rules
--    4. Keys and sessions     10. Events                     16. Operations
--    5. Cards and tokens      11. Webhooks and deliveries
--    6. Plans, subscriptions  12. Outbox
--
-- Columns and values are named as in the API. Amounts are in centavos.


-- 1. Foundations ------------------------------------------------------------------------------------------------------

-- Both extensions are part of PostgreSQL and trusted: a role that can create tables can create them.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create type "Environment" as enum ('sandbox', 'production');
create type "KeyKind" as enum ('private', 'public');
create type "MerchantStatus" as enum ('active', 'suspended');

-- Searches ignore case and accents.
create function search_text(text) returns text immutable strict parallel safe language sql as $$
  select translate(lower($1), 'áéíóúüñàèìòùâêîôûäëïöãõçÁÉÍÓÚÜÑ', 'aeiouunaeiouaeiouaeioaocaeiouun')
$$;


-- 2. Merchants --------------------------------------------------------------------------------------------------------

-- Named by content hash. Old logos are kept for a while, because sent e-mails show them.
create table logos (
  name varchar(40) primary key,
  content bytea not null,
  creation_date timestamptz(3) not null default current_timestamp
);

create table merchants (
  id varchar(45) primary key,
  environment "Environment" not null,
  name varchar(100) not null,
  email varchar(100) not null,
  phone varchar(100),
  website varchar(255),
  support_email varchar(100),
  support_phone varchar(100),
  colour varchar(7),
  logo varchar(40) references logos (name) on delete restrict on update cascade,
  -- Whether payers get e-mails about declined renewals.
  subscription_emails boolean not null default false,
  -- Installments that payers may choose on the payment page.
  max_installments integer not null default 1 check (max_installments between 1 and 36),
  status "MerchantStatus" not null default 'active',
  suspended_at timestamptz(3),
  suspension_reason text,
  creation_date timestamptz(3) not null default current_timestamp,
  -- The cost of a charge: in hundredths of a percent, and in centavos.
  cost_rate integer not null default 290 check (cost_rate between 0 and 10000),
  cost_fixed bigint not null default 90000 check (cost_fixed >= 0),
  -- Part of the balance that payouts leave, set by operators.
  reserve bigint not null default 0 check (reserve >= 0),
  -- Sandbox: offset of the test clock in seconds.
  clock_offset integer not null default 0 check (clock_offset >= 0),
  -- Default fraud rules; null for those of the environment.
  fraud_presets varchar(10) check (fraud_presets in ('sandbox', 'production'))
);

-- A sandbox merchant's request for production access. Approval creates a production merchant; its keys are shown once.
create table live_requests (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  status varchar(10) not null check (status in ('draft', 'submitted', 'returned', 'approved', 'refused')),
  -- Secret key in the URL of the request's page. It allows reading and completing the request.
  page_key varchar(45) not null,
  page_origin varchar(255) not null,
  -- Business data with the last digits of the bank account; the full number is sealed.
  business jsonb,
  account_sealed bytea,
  reason varchar(1000),
  creation_date timestamptz(3) not null default current_timestamp,
  submitted_at timestamptz(3),
  decided_at timestamptz(3),
  production_merchant_id varchar(45) references merchants (id) on delete set null on update cascade,
  keys_collected_at timestamptz(3),
  check (status = 'draft' or (business is not null and account_sealed is not null)),
  check ((status = 'approved') = (production_merchant_id is not null)),
  check (keys_collected_at is null or status = 'approved')
);
create unique index live_requests_page_key_key on live_requests (page_key);
create unique index live_requests_production_merchant_id_key on live_requests (production_merchant_id);
create index live_requests_merchant_id_idx on live_requests (merchant_id, creation_date desc, id desc);
create index live_requests_status_idx on live_requests (status, creation_date desc, id desc);
-- One request at a time: a new one is possible only after a refusal.
create unique index live_requests_one_per_merchant on live_requests (merchant_id) where status <> 'refused';

-- Bank accounts of payouts. The newest row that is effective is used; older ones are kept for their payouts.
create table bank_accounts (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants on delete restrict on update cascade,
  creation_date timestamptz(3) not null default current_timestamp,
  bank varchar(100) not null,
  type varchar(10) not null check (type in ('savings', 'checking')),
  -- Masked, except for the last four digits.
  number varchar(20) not null check (number ~ '^X*[0-9]{4}$'),
  number_sealed bytea not null,
  -- By the merchant's test clock.
  effective_at timestamptz(3) not null default current_timestamp,
  -- The change was stopped, or replaced by another one, before it took effect.
  stopped_at timestamptz(3),
  -- The page that stops the change: its secret key and its origin.
  page_key varchar(45),
  page_origin varchar(300),
  check ((page_key is null) = (page_origin is null))
);
create unique index bank_accounts_page_key_key on bank_accounts (page_key);
create index bank_accounts_merchant_id_creation_date_id_idx on bank_accounts (merchant_id, creation_date desc, id desc);

-- E-mail addresses that merchants had. Warnings about the bank account go to those of the last 30 days, too.
create table former_emails (
  merchant_id varchar(45) not null references merchants (id) on delete cascade on update cascade,
  email varchar(100) not null,
  replaced_at timestamptz(3) not null default current_timestamp,
  primary key (merchant_id, replaced_at, email)
);

create function keep_former_email() returns trigger language plpgsql as $$
begin
  if old.email <> new.email then
    insert into former_emails (merchant_id, email) values (old.id, old.email) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger keep_former_email after update on merchants for each row execute function keep_former_email();


-- 3. Customers --------------------------------------------------------------------------------------------------------

create table customers (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  creation_date timestamptz(3) not null default current_timestamp,
  name varchar(100) not null,
  last_name varchar(100),
  email varchar(100) not null,
  phone_number varchar(100),
  status varchar(10) not null default 'active' check (status in ('active', 'deleted')),
  external_id varchar(100),
  requires_account boolean not null default true,
  customer_address jsonb,
  clock_offset integer not null default 0 check (clock_offset >= 0)
);

-- Unique among active customers.
create unique index customers_external_id on customers (merchant_id, external_id)
  where status = 'active' and external_id is not null;

-- Lists, in the order of their cursors.
create index customers_merchant_id_status_creation_date_id_idx on customers (merchant_id, status, creation_date desc, id desc);
create index customers_sorted_by_name on customers (merchant_id, search_text(name || ' ' || coalesce(last_name, '')), id)
  where status = 'active';

-- Filters and search by the beginning of a text.
create index customers_by_email on customers (merchant_id, lower(email)) where status = 'active';
create index customers_by_name on customers (merchant_id, lower(name) text_pattern_ops) where status = 'active';
create index customers_sorted_by_phone on customers (merchant_id, translate(phone_number, '+-() ', ''), id)
  where status = 'active';

-- Substring search. The merchant is part of the index, so that rows of other merchants are not read. Merchant
-- and condition are expressions that no other index has: where the planner is wrong about the size of a table, another
-- index would seem as good, and all rows would be read. The short pending list keeps searches and writes fast.
create index customers_search on customers using gin (lower(merchant_id), search_text(name || ' ' || coalesce(last_name, '') || E'\n' || email
  || E'\n' || translate(coalesce(phone_number, ''), '+-() ', '') || E'\n' || coalesce(external_id, '')) gin_trgm_ops)
  with (gin_pending_list_limit = 256) where coalesce(status = 'active', false);
create function search_customers(merchant varchar, one text, two text, three text, max_rows integer) returns setof varchar
  stable rows 100 language sql set enable_seqscan = off set enable_indexscan = off set jit = off as $$
  select id from customers where lower(merchant_id) = merchant and coalesce(status = 'active', false)
    and search_text(name || ' ' || coalesce(last_name, '') || E'\n' || email || E'\n' || translate(coalesce(phone_number, ''), '+-() ', '')
      || E'\n' || coalesce(external_id, '')) like one
    and search_text(name || ' ' || coalesce(last_name, '') || E'\n' || email || E'\n' || translate(coalesce(phone_number, ''), '+-() ', '')
      || E'\n' || coalesce(external_id, '')) like two
    and search_text(name || ' ' || coalesce(last_name, '') || E'\n' || email || E'\n' || translate(coalesce(phone_number, ''), '+-() ', '')
      || E'\n' || coalesce(external_id, '')) like three
  limit max_rows
$$;

-- Offset of the test clock of a merchant or customer, in seconds.
create function clock_offset_of(merchant varchar, customer varchar) returns integer stable language sql as $$
  select greatest(
    (select clock_offset from merchants where id = merchant),
    coalesce((select clock_offset from customers where id = customer), 0))
$$;

-- Latest move of the test clock of a merchant, customer or subscription.
create table clock_moves (
  scope varchar(45) primary key,
  target timestamptz(3) not null,
  creation_date timestamptz(3) not null default current_timestamp,
  total integer not null default 0,
  -- Whether all moved objects were notified.
  begun boolean not null default false
);


-- 4. Keys and sessions ------------------------------------------------------------------------------------------------

-- Only the hash and the last four characters of a key are stored.
create table api_keys (
  id varchar(45) not null,
  hash bytea primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  kind "KeyKind" not null,
  name varchar(100),
  last_four varchar(4) not null,
  read_only boolean not null default false,
  addresses text[] default array[]::text[],
  creation_date timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3)
);
create unique index api_keys_id_key on api_keys (id);
create index api_keys_merchant_id_idx on api_keys (merchant_id);
create index api_keys_expires_at_idx on api_keys (expires_at);

-- A separate table, because each change of a key invalidates the caches of all processes.
create table key_uses (
  key_id varchar(45) primary key,
  used_at timestamptz(3) not null
) with (fillfactor = 50);

create table operator_keys (
  id varchar(45) not null,
  hash bytea primary key,
  name varchar(100) not null,
  role varchar(10) not null check (role in ('read', 'support', 'admin')),
  last_four varchar(4) not null,
  creation_date timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3)
);
create unique index operator_keys_id_key on operator_keys (id);

-- Sessions of the operator page are signed cookies. These are refused, because their users have signed out.
create table ended_operator_sessions (
  hash bytea primary key,
  expires_at timestamptz(3) not null
);

-- Browser sessions: limited in time, origin and rights. A session ends with its key, which is looked up by id.
create table sessions (
  id varchar(45) not null,
  hash bytea primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  key_id varchar(45) not null,
  customer_id varchar(45) references customers (id) on delete set null on update cascade,
  origins text[] check (origins is not null and cardinality(origins) > 0),
  scope text[] check (scope is not null and cardinality(scope) > 0),
  creation_date timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  -- Null without a cookie; `repeated` if the private key was given again while another session was open.
  sign_in varchar(10) check (sign_in in ('first', 'repeated'))
);
create unique index sessions_id_key on sessions (id);
create index sessions_merchant_id_creation_date_id_idx on sessions (merchant_id, creation_date desc, id desc);
create index sessions_customer_id_idx on sessions (customer_id);
create index sessions_expires_at_idx on sessions (expires_at);
create index sessions_origins_idx on sessions using gin (origins);

-- The code in a sign-in link, which works once: a session is made with the key that it names, and the row is deleted.
create table sign_in_codes (
  hash bytea primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  key_id varchar(45) not null,
  expires_at timestamptz(3) not null
);
create index sign_in_codes_expires_at_idx on sign_in_codes (expires_at);

-- Processes cache keys by merchant. This notification evicts the keys of a merchant; an empty name stands
-- for operators. Only changes of a merchant that affect its keys evict them.
create function forget_api_keys() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'merchants' then
    perform pg_notify('api_keys', old.id);
  elsif tg_table_name = 'operator_keys' then
    perform pg_notify('api_keys', '');
  else
    perform pg_notify('api_keys', coalesce(new.merchant_id, old.merchant_id));
  end if;
  return null;
end $$;
create trigger forget_api_keys after insert or update or delete on api_keys
  for each row execute function forget_api_keys();
create trigger forget_api_keys after insert or update or delete on operator_keys
  for each row execute function forget_api_keys();
create trigger forget_api_keys after update of status, environment or delete on merchants
  for each row execute function forget_api_keys();

-- A new session is in no cache, and one that expires needs no notification.
create function forget_session() returns trigger language plpgsql as $$
begin
  perform pg_notify('api_keys', old.id);
  return null;
end $$;
create trigger forget_changed_session after update on sessions for each row execute function forget_session();
create trigger forget_deleted_session after delete on sessions for each row
  when (old.expires_at > current_timestamp) execute function forget_session();


-- 5. Cards and tokens -------------------------------------------------------------------------------------------------

-- Proof of each vault key: decrypts only with the key first used under this name.
create table vault_keys (
  id varchar(16) primary key,
  proof bytea not null
);

create table cards (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  customer_id varchar(45) references customers (id) on delete restrict on update cascade,
  creation_date timestamptz(3) not null default current_timestamp,
  holder_name varchar(80) not null,
  -- Masked.
  card_number varchar(19) not null,
  expiration_month varchar(2) not null,
  expiration_year varchar(2) not null,
  brand varchar(30) not null,
  -- From the acquirer; may be unknown.
  type varchar(10),
  bank_name varchar(100),
  bank_code varchar(10),
  country varchar(2),
  address jsonb,
  device_session_id varchar(255),
  -- A held card belongs to one subscription and is not listed.
  status varchar(10) not null default 'active' check (status in ('active', 'held', 'deleted')),
  number_sealed bytea,
  cvv2_sealed bytea,
  cvv2_date timestamptz(3),
  fingerprint bytea,
  -- A deleted card has no chargeable data.
  check (case when status = 'deleted' then number_sealed is null and cvv2_sealed is null and fingerprint is null
    else number_sealed is not null and fingerprint is not null end),
  check ((cvv2_sealed is null) = (cvv2_date is null))
);
create index cards_merchant_id_customer_id_status_creation_date_id_idx
  on cards (merchant_id, customer_id, status, creation_date desc, id desc);
create index cards_cvv2_date_idx on cards (cvv2_date);
-- Card numbers are unique per customer.
create unique index cards_fingerprint on cards (customer_id, fingerprint) where status = 'active' and customer_id is not null;
-- Finds cards of a merchant by number.
create index cards_merchant_fingerprint on cards (merchant_id, fingerprint) where fingerprint is not null;

-- Deleting a customer deletes the numbers of its cards.
create function destroy_cards() returns trigger language plpgsql as $$
begin
  update cards
  set status = 'deleted', number_sealed = null, cvv2_sealed = null, cvv2_date = null, fingerprint = null
  where merchant_id = new.merchant_id and customer_id = new.id and status <> 'deleted';
  return null;
end $$;
create trigger destroy_cards after update of status on customers
  for each row when (old.status = 'active' and new.status = 'deleted') execute function destroy_cards();

create table tokens (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  creation_date timestamptz(3) not null default current_timestamp,
  holder_name varchar(80) not null,
  card_number varchar(19) not null,
  expiration_month varchar(2) not null,
  expiration_year varchar(2) not null,
  brand varchar(30) not null,
  type varchar(10),
  bank_name varchar(100),
  bank_code varchar(10),
  country varchar(2),
  address jsonb,
  number_sealed bytea,
  cvv2_sealed bytea,
  fingerprint bytea,
  -- IP address of the browser; declines are counted by it.
  created_from varchar(45),
  used_at timestamptz(3),
  used_by varchar(45),
  check ((used_at is null) = (used_by is null)),
  -- Only used tokens may lack the number.
  check (number_sealed is not null or used_at is not null)
);
create index tokens_creation_date_idx on tokens (creation_date);
create index tokens_used_at_idx on tokens (used_at);

-- Browser sessions. The browser generates the id, so it is unique per merchant only.
create table device_sessions (
  id varchar(45) not null,
  merchant_id varchar(45) not null,
  creation_date timestamptz(3) not null default current_timestamp,
  address varchar(45),
  user_agent varchar(512),
  seen jsonb not null,
  primary key (merchant_id, id)
);
create index device_sessions_creation_date_idx on device_sessions (creation_date);


-- 6. Plans and subscriptions ------------------------------------------------------------------------------------------

create table plans (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  creation_date timestamptz(3) not null,
  name varchar(255) not null,
  amount bigint not null check (amount > 0),
  repeat_every integer not null check (repeat_every between 1 and 100),
  repeat_unit varchar(5) not null check (repeat_unit in ('week', 'month', 'year')),
  retry_times integer not null check (retry_times between 0 and 20),
  status varchar(10) not null default 'active' check (status in ('active', 'deleted')),
  status_after_retry varchar(10) not null check (status_after_retry in ('unpaid', 'cancelled')),
  trial_days integer not null check (trial_days between 0 and 730)
);
create index plans_merchant_id_status_creation_date_id_idx on plans (merchant_id, status, creation_date desc, id desc);

-- Same index as for customers.
create index plans_search on plans using gin (lower(merchant_id), search_text(name) gin_trgm_ops)
  with (gin_pending_list_limit = 256) where coalesce(status = 'active', false);
create function search_plans(merchant varchar, one text, two text, three text, max_rows integer) returns setof varchar
  stable rows 100 language sql set enable_seqscan = off set enable_indexscan = off set jit = off as $$
  select id from plans where lower(merchant_id) = merchant and coalesce(status = 'active', false)
    and search_text(name) like one and search_text(name) like two and search_text(name) like three
  limit max_rows
$$;

create table subscriptions (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  customer_id varchar(45) not null references customers (id) on delete restrict on update cascade,
  plan_id varchar(45) not null references plans (id) on delete restrict on update cascade,
  card_id varchar(45) not null references cards (id) on delete restrict on update cascade,
  -- Whether the card belongs to the subscription and not to the customer.
  holds_card boolean not null,
  creation_date timestamptz(3) not null,
  -- Optimistic lock: each change increments it and must match the version read.
  version integer not null default 1,
  -- `new` is invisible: the outcome of its first charge is pending.
  status varchar(10) not null check (status in ('new', 'trial', 'active', 'past_due', 'unpaid', 'cancelled')),
  cancel_at_period_end boolean not null default false,
  reason varchar(30) check ((reason is not null) = (status = 'cancelled')),
  -- By its test clock. Written by a trigger.
  ended_at timestamptz(3),
  trial_end_date varchar(10) not null,
  -- Anchor of all charge days.
  first_charge_day varchar(10) not null,
  -- Day of the next charge, for lists. Written by a trigger.
  charge_date varchar(10) not null default '',
  current_period_number integer not null default 0,
  -- Next charge or retry; for unpaid subscriptions, their end.
  due_at timestamptz(3) not null,
  attempts integer not null default 0,
  retries_left integer not null default 0,
  -- A new card is charged immediately.
  try_now boolean not null default false,
  -- Attempt with an unknown outcome.
  open jsonb,
  -- Latest charge.
  transaction_id varchar(45),
  -- Test clock: its offset and, during a move, its position and target.
  clock_offset integer not null default 0 check (clock_offset >= 0),
  clock_at timestamptz(3),
  clock_to timestamptz(3),
  check ((clock_at is null) = (clock_to is null))
);

-- Lists, in the order of their cursors.
create index subscriptions_list on subscriptions (merchant_id, creation_date desc, id desc);
create index subscriptions_list_by_status on subscriptions (merchant_id, status, creation_date desc, id desc);
create index subscriptions_list_by_charge_date on subscriptions (merchant_id, charge_date);
create index subscriptions_customer_list on subscriptions (customer_id, creation_date desc, id desc);
create index subscriptions_plan_list on subscriptions (plan_id, creation_date desc, id desc);
create index subscriptions_card_list on subscriptions (card_id, creation_date desc, id desc);
-- Excludes cancelled subscriptions, whose charge dates are in the past and would be scanned first.
create index subscriptions_sorted_by_charge_date on subscriptions (merchant_id, charge_date, id) where status <> 'cancelled';

create index subscriptions_due on subscriptions (due_at) where status <> 'cancelled' or open is not null;
create index subscriptions_moving on subscriptions (merchant_id) where clock_to is not null;

-- Figures are counted from these indexes alone. Subscriptions that are charged together have the same key, so that the
-- first one stays small.
create index subscriptions_stats on subscriptions
  (merchant_id, status, plan_id, charge_date, first_charge_day, cancel_at_period_end);
create index subscriptions_ended on subscriptions (merchant_id, ended_at) where ended_at is not null;

-- The billing rules compute the day of the next charge; the row keeps it too, so that lists can use an index. Triggers
-- write it, and when a subscription ended, so that no statement can forget to. A test compares it with the rules.
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
create trigger set_first_charge_date before insert on subscriptions for each row execute function set_charge_date();
create trigger set_next_charge_date before update on subscriptions for each row
  when ((old.first_charge_day, old.current_period_number) is distinct from (new.first_charge_day, new.current_period_number))
  execute function set_charge_date();

create function set_ended_at() returns trigger language plpgsql as $$
begin
  new.ended_at := coalesce(new.clock_at,
    now() + make_interval(secs => greatest(new.clock_offset, clock_offset_of(new.merchant_id, new.customer_id))));
  return new;
end $$;
create trigger set_ended_at before update on subscriptions for each row
  when (old.status <> 'cancelled' and new.status = 'cancelled') execute function set_ended_at();

-- History of a subscription.
create table subscription_lines (
  id bigserial primary key,
  subscription_id varchar(45) not null references subscriptions (id) on delete cascade on update cascade,
  date timestamptz(3) not null,
  event varchar(30) not null,
  period integer,
  transaction_id varchar(45),
  error_code integer,
  day varchar(10),
  -- A repeated request finds its own line.
  request varchar(45)
);
create index subscription_lines_subscription_id_id_idx on subscription_lines (subscription_id, id);

-- Billing holds of operators on a subscription, customer, plan, merchant or everything (the object is then the
-- environment). Identifiers have a prefix per type, so one index finds all holds that cover a subscription.
create table billing_holds (
  id varchar(45) primary key,
  environment "Environment" not null,
  scope varchar(20) not null check (scope in ('subscription', 'customer', 'plan', 'merchant', 'everything')),
  merchant_id varchar(45) references merchants (id),
  object_id varchar(45) not null,
  reason varchar(1000) not null,
  actor varchar(20) not null,
  actor_id varchar(100),
  held_at timestamptz(3) not null default current_timestamp,
  until timestamptz(3),
  released_at timestamptz(3),
  released_by varchar(20),
  released_by_id varchar(100),
  over_seconds integer,
  check ((scope = 'everything') = (merchant_id is null)),
  check ((released_at is null) = (released_by is null))
);
create unique index billing_holds_open on billing_holds (object_id) where released_at is null;
create index billing_holds_list on billing_holds (held_at desc, id desc);


-- 7. Transactions -----------------------------------------------------------------------------------------------------

-- Single-use links for a payment, a card or a subscription.
create table payment_links (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  customer_id varchar(45) references customers (id) on delete restrict on update cascade,
  creation_date timestamptz(3) not null,
  kind varchar(12) not null check (kind in ('payment', 'card', 'subscription')),
  -- An active link expires without a change of its row.
  status varchar(10) not null default 'active' check (status in ('active', 'completed', 'cancelled')),
  amount bigint check (amount > 0),
  iva varchar(100),
  description varchar(250),
  order_id varchar(100),
  plan_id varchar(45) references plans (id) on delete restrict on update cascade,
  methods varchar(20)[],
  redirect_url varchar(2048),
  -- By the test clock of its customer or merchant.
  expires_at timestamptz(3) not null,
  page_key varchar(45) not null,
  page_origin varchar(300) not null,
  -- Recipient of the latest e-mail.
  email varchar(100),

  -- What the payer made: a payment that is pending or paid, a saved card, or a subscription, perhaps with a first charge in
  -- progress.
  transaction_id varchar(45),
  card_id varchar(45),
  subscription_id varchar(45) references subscriptions (id) on delete set null on update cascade,

  -- Submitted forms, the end of the lease of the latest one, and declined cards.
  attempts integer not null default 0,
  lease_until timestamptz(3),
  declines integer not null default 0,
  error_code integer,

  check ((kind = 'payment') = (amount is not null)),
  check ((kind = 'subscription') = (plan_id is not null)),
  check (kind = 'payment' or customer_id is not null),
  check (num_nonnulls(transaction_id, card_id, subscription_id) <= 1),
  -- A link is either cancelled or used.
  check (case status when 'cancelled' then num_nonnulls(transaction_id, card_id, subscription_id) = 0
    when 'completed' then num_nonnulls(transaction_id, card_id, subscription_id) = 1 else card_id is null end)
);
create unique index payment_links_page_key_key on payment_links (page_key);
create index payment_links_merchant_id_creation_date_id_idx on payment_links (merchant_id, creation_date desc, id desc);
create index payment_links_customer on payment_links (customer_id, creation_date desc, id desc) where customer_id is not null;
create unique index payment_links_subscription on payment_links (subscription_id) where subscription_id is not null;

-- The first charge of a subscription has ended.
create function complete_subscription_link() returns trigger language plpgsql as $$
begin
  update payment_links set status = 'completed' where subscription_id = new.id;
  return null;
end $$;
create trigger complete_subscription_link after update of status on subscriptions
  for each row when (old.status = 'new' and new.status <> 'new') execute function complete_subscription_link();

create function cancel_links_of_customer() returns trigger language plpgsql as $$
begin
  update payment_links set status = 'cancelled' where customer_id = new.id and status = 'active';
  return null;
end $$;
create trigger cancel_links_of_customer after update of status on customers
  for each row when (old.status = 'active' and new.status = 'deleted') execute function cancel_links_of_customer();

-- Charges, refunds, fees and payouts.
create table transactions (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  customer_id varchar(45) references customers (id) on delete restrict on update cascade,
  parent_id varchar(45) references transactions (id) on delete restrict on update cascade,
  subscription_id varchar(45) references subscriptions (id) on delete set null on update cascade,
  period integer,
  creation_date timestamptz(3) not null,
  operation_date timestamptz(3) not null,
  transaction_type varchar(10) not null check (transaction_type in ('charge', 'refund', 'fee', 'payout')),
  operation_type varchar(3) not null check (operation_type in ('in', 'out')),
  method varchar(20) not null check (method in ('card', 'store', 'bank_account', 'customer')),
  status varchar(25) not null check (status in ('in_progress', 'completed', 'refunded', 'chargeback_pending', 'chargeback_accepted',
    'chargeback_adjustment', 'charge_pending', 'cancelled', 'failed')),
  -- An acquirer request has no stored outcome yet (prepared, capturing, voiding, sending), the transaction
  -- waits for a capture (authorized) or its payer (pending), the payer's card is being charged (paying), or it is over.
  progress varchar(12) not null
    check (progress in ('prepared', 'authorized', 'capturing', 'voiding', 'pending', 'paying', 'sending', 'settled')),

  amount bigint not null check (amount > 0),
  iva varchar(100),
  description varchar(250),
  order_id varchar(100),
  -- A charge that ended without a response of the acquirer releases its order_id.
  holds_order_id boolean not null default true,
  metadata jsonb,
  "authorization" varchar(20),
  conciliated boolean not null default false,
  error_code integer,
  error_message varchar(250),
  fraud_rules jsonb,

  -- Snapshot of the payer and payment method.
  customer jsonb,
  card jsonb,
  source_id varchar(45),
  device_session_id varchar(255),
  payer_address varchar(45),
  -- Number of installments, and how many the payer may choose; null if the merchant fixed or does not offer them.
  installments integer,
  max_installments integer,

  capture boolean not null default true,
  capture_amount bigint check (capture_amount between 1 and amount),
  -- Expiry of an authorization or pending payment, by its test clock.
  expires_at timestamptz(3),

  -- A payment that the payer makes later: the address it returns to, the key and origin of its page, and what the
  -- acquirer issued (the references of a voucher, or the address at the bank).
  redirect_url varchar(2048),
  page_key varchar(45),
  page_origin varchar(300),
  payment_link_id varchar(45) references payment_links (id) on delete restrict on update cascade,
  issued jsonb,
  send_email boolean not null default false,
  -- Number of earlier declined cards on the page.
  declines integer not null default 0,

  -- Credited account, and costs.
  account varchar(60) not null,
  cost_rate integer not null,
  cost_fixed bigint not null,
  fee_amount bigint,
  fee_tax bigint,

  -- Capture attempts, each with its own key; the latest work; and the end of its lease, after which any process may
  -- continue.
  attempts integer not null default 0,
  work_id varchar(45),
  lease_until timestamptz(3),
  clock_offset integer not null default 0,

  check (subscription_id is null or period is not null),
  constraint transactions_waiting_check
    check (progress not in ('pending', 'paying') or (page_key is not null and expires_at is not null)),
  constraint transactions_sending_check check (progress <> 'sending' or transaction_type = 'payout'),
  constraint transactions_page_check check ((page_key is null) = (page_origin is null))
);

-- Unique constraints.
create unique index transactions_order_id on transactions (merchant_id, order_id) where order_id is not null and holds_order_id;
create unique index transactions_page on transactions (page_key) where page_key is not null;
create unique index transactions_reference on transactions ((issued ->> 'reference')) where issued ? 'reference';
-- One charge per period that is in progress or paid.
create unique index transactions_period on transactions (subscription_id, period)
  where subscription_id is not null and status <> 'failed';

-- Lists, in the order of their cursors.
create index transactions_list on transactions (merchant_id, transaction_type, creation_date desc, id desc);
create index transactions_list_by_status on transactions (merchant_id, transaction_type, status, creation_date desc, id desc);
create index transactions_list_by_amount on transactions (merchant_id, transaction_type, amount, creation_date desc, id desc);
create index transactions_list_by_error on transactions (merchant_id, error_code, creation_date desc, id desc)
  where error_code is not null;
create index transactions_sorted_by_amount on transactions (merchant_id, transaction_type, amount, id);
create index transactions_customer_list on transactions (customer_id, transaction_type, creation_date desc, id desc)
  where customer_id is not null;
create index transactions_subscription on transactions (subscription_id, creation_date desc, id desc)
  where subscription_id is not null;
create index transactions_parent on transactions (parent_id) where parent_id is not null;
-- A payment link has one payment that is pending or paid.
create unique index transactions_payment_link on transactions (payment_link_id)
  where payment_link_id is not null and status not in ('failed', 'cancelled');

-- A paid payment completes its link, and one that failed lets the payer choose again.
create function follow_payment() returns trigger language plpgsql as $$
begin
  update payment_links
  set status = case new.status when 'completed' then 'completed' else status end,
    transaction_id = case new.status when 'completed' then transaction_id end
  where id = new.payment_link_id and transaction_id = new.id and status = 'active';
  return null;
end $$;
create trigger follow_payment after update of status on transactions
  for each row when (new.payment_link_id is not null and new.progress = 'settled'
    and old.status <> new.status and new.status in ('completed', 'failed', 'cancelled')) execute function follow_payment();

-- Unfinished work.
create index transactions_unfinished on transactions (lease_until) where progress in ('prepared', 'capturing', 'voiding', 'paying');
create index transactions_expiring on transactions (merchant_id, expires_at)
  where progress in ('authorized', 'capturing', 'voiding', 'pending', 'paying');
create index transactions_sending on transactions (merchant_id, creation_date) where progress = 'sending';

-- Figures by day are read from this index alone. It has settled charges only, so that a charge is entered once.
create index transactions_stats on transactions (merchant_id, creation_date) include (status, error_code, amount, subscription_id, period)
  where transaction_type = 'charge' and progress = 'settled';

-- Charges that the acquirer has not settled, and their refunds.
create index transactions_unsettled on transactions (merchant_id) include (id, account, amount, fee_amount, fee_tax)
  where transaction_type = 'charge' and not conciliated and status in ('completed', 'chargeback_adjustment');
create index transactions_unsettled_refunds on transactions (merchant_id) include (parent_id, amount, fee_amount, fee_tax)
  where transaction_type = 'refund' and method <> 'customer' and not conciliated and status <> 'failed';

-- Search by keys. The first index includes transactions that released their order_id.
create index transactions_by_order_id on transactions (merchant_id, order_id) where order_id is not null;
create index transactions_by_authorization on transactions (merchant_id, "authorization", creation_date desc)
  where "authorization" is not null and transaction_type = 'charge';
create index transactions_by_last_four on transactions (merchant_id, right(card ->> 'card_number', 4), creation_date desc)
  where card is not null and transaction_type = 'charge' and progress = 'settled';

-- Substring search by order_id. Only settled charges with an order_id, which subscription charges lack.
create index transactions_search on transactions using gin (lower(merchant_id), search_text(coalesce(order_id, '')) gin_trgm_ops)
  with (gin_pending_list_limit = 256) where coalesce(order_id is not null and transaction_type = 'charge' and progress = 'settled', false);
create function search_charges(merchant varchar, one text, two text, three text, max_rows integer) returns setof varchar
  stable rows 100 language sql set enable_seqscan = off set enable_indexscan = off set jit = off as $$
  select id from transactions where lower(merchant_id) = merchant
    and coalesce(order_id is not null and transaction_type = 'charge' and progress = 'settled', false)
    and search_text(coalesce(order_id, '')) like one and search_text(coalesce(order_id, '')) like two and search_text(coalesce(order_id, '')) like three
  limit max_rows
$$;


-- 8. Ledger -----------------------------------------------------------------------------------------------------------

-- Every movement is a set of entries that sums to zero, written by one statement and never changed.
create table entries (
  movement varchar(80) not null,
  account varchar(60) not null,
  amount bigint not null check (amount <> 0),
  transaction_id varchar(45) not null references transactions (id) on delete restrict on update cascade,
  creation_date timestamptz(3) not null default current_timestamp,
  xact xid8 not null default pg_current_xact_id(),
  primary key (movement, account)
);
create index entries_account_xact_idx on entries (account, xact);
create index entries_transaction_id_idx on entries (transaction_id);
-- For account statements of merchants, in order of time. Partial, so that other accounts have no index cost.
create index entries_statement_idx on entries (account, creation_date, movement)
  where account like 'merchant %' or account like 'costs %' or account like 'tax %';

create function refuse_imbalance() returns trigger language plpgsql as $$
begin
  if exists (select from new_entries group by movement having sum(amount) <> 0) then
    raise exception 'a movement does not sum to zero';
  end if;
  return null;
end $$;
create trigger refuse_imbalance after insert on entries referencing new table as new_entries
  for each statement execute function refuse_imbalance();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% only grows', tg_table_name;
end $$;
create trigger refuse_change before update or delete or truncate on entries
  for each statement execute function refuse_change();

-- Sum of all entries of transactions before the horizon. Those transactions have ended, so the sum is final. An amount
-- fits in 64 bits; a sum may not.
create table balances (
  account varchar(60) primary key,
  balance numeric not null,
  horizon xid8 not null
);

create function account_balance(name varchar) returns numeric stable language sql as $$
  select coalesce((select balance from balances where account = name), 0)
    + coalesce((select sum(amount) from entries where account = name
        and xact >= coalesce((select horizon from balances where account = name), '0'::xid8)), 0)
$$;

-- The part of a merchant's balance that may be paid out: without its unsettled charges, without fees beyond the settled
-- charges of their customer, and without the reserve. A customer without fees has given the merchant nothing;
-- the limit keeps the planner from reading the fees of all customers.
create function available_balance(merchant varchar) returns numeric stable language sql as $$
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
        and fee.transaction_type = 'fee' and fee.status = 'completed' limit 1) is not null), 0))
  from merchants where id = merchant
$$;


-- 9. Settlements ------------------------------------------------------------------------------------------------------

-- Settlement report of the acquirer for a day. Received in parts and matched when complete.
create table settlement_reports (
  id varchar(45) primary key,
  environment "Environment" not null,
  -- Reference of the acquirer.
  reference varchar(60) not null,
  day varchar(10) not null,
  parts integer not null check (parts > 0),
  count integer not null check (count >= 0),
  total bigint not null,
  status varchar(10) not null default 'receiving' check (status in ('receiving', 'matching', 'matched', 'differs', 'refused')),
  -- Reason of a refused report.
  reason varchar(250),
  -- Date of the acquirer; in the sandbox by a test clock.
  creation_date timestamptz(3) not null,
  received_at timestamptz(3) not null default current_timestamp,
  ended_at timestamptz(3),
  matched integer not null default 0,
  differing integer not null default 0,
  check ((status = 'refused') = (reason is not null)),
  check ((status in ('matched', 'differs', 'refused')) = (ended_at is not null))
);
create unique index settlement_reports_environment_reference_key on settlement_reports (environment, reference);
create index settlement_reports_creation_date_idx on settlement_reports (creation_date desc, id desc);
create index settlement_reports_status_idx on settlement_reports (status, creation_date desc, id desc);

-- A part may be repeated only with the same content.
create table settlement_parts (
  report_id varchar(45) not null references settlement_reports (id) on delete cascade on update cascade,
  part integer not null check (part > 0),
  hash bytea not null,
  primary key (report_id, part)
);

create table settlement_items (
  report_id varchar(45) not null references settlement_reports (id) on delete cascade on update cascade,
  line integer not null check (line > 0),
  -- Values of the acquirer: the merchant and transaction may not exist.
  merchant_id varchar(45) not null,
  type varchar(10) not null check (type in ('charge', 'refund', 'chargeback', 'payout')),
  key varchar(80) not null,
  amount bigint not null check (amount <> 0),
  date timestamptz(3) not null,
  transaction_id varchar(45) not null,
  -- Matching ledger movement.
  movement varchar(80) not null,
  result varchar(15) check (result in ('matched', 'unknown', 'other_merchant', 'not_in_books', 'wrong_amount', 'repeated')),
  -- Amount in the ledger, and cost of the movement for the merchant.
  expected bigint,
  cost bigint not null default 0,
  cost_tax bigint not null default 0,
  primary key (report_id, line)
);
-- A movement is settled at most once.
create unique index settlement_items_matched_once on settlement_items (movement) where result = 'matched';
create index settlement_items_unmatched on settlement_items (report_id, line) where result is null;
create index settlement_items_differing on settlement_items (report_id, line) where result <> 'matched';
create index settlement_items_merchant on settlement_items (report_id, merchant_id, line);

-- Part of a report visible to a merchant.
create table settlements (
  id varchar(45) primary key,
  report_id varchar(45) not null references settlement_reports (id) on delete restrict on update cascade,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  day varchar(10) not null,
  creation_date timestamptz(3) not null,
  status varchar(10) not null check (status in ('matched', 'differs')),
  count integer not null,
  differences integer not null,
  charges bigint not null,
  refunds bigint not null,
  chargebacks bigint not null,
  payouts bigint not null,
  cost bigint not null,
  cost_tax bigint not null,
  check ((status = 'differs') = (differences > 0))
);
create unique index settlements_report_id_merchant_id_key on settlements (report_id, merchant_id);
create index settlements_list on settlements (merchant_id, creation_date desc, id desc);
create index settlements_list_by_day on settlements (merchant_id, day);


-- 10. Events ----------------------------------------------------------------------------------------------------------

-- Ordered by transaction, and within one by sequence. A reader that stops at the oldest open transaction misses none,
-- whenever they commit.
create table events (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  type varchar(50) not null,
  object_id varchar(45) not null,
  object jsonb not null,
  creation_date timestamptz(3) not null,
  -- Real time, for retention.
  recorded_at timestamptz(3) not null default current_timestamp,
  xact xid8 not null default pg_current_xact_id(),
  sequence bigserial
);
create index events_merchant_id_creation_date_id_idx on events (merchant_id, creation_date desc, id desc);
create index events_merchant_id_xact_sequence_idx on events (merchant_id, xact, sequence);
create index events_object_id_xact_sequence_idx on events (object_id, xact, sequence);
create index events_recorded_at_idx on events (recorded_at);


-- 11. Webhooks and deliveries -----------------------------------------------------------------------------------------

create table webhooks (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  creation_date timestamptz(3) not null,
  url varchar(2048) not null,
  "user" varchar(255),
  password_sealed bytea,
  -- An empty list means all types.
  event_types text[] default array[]::text[],
  status varchar(10) not null default 'unverified' check (status in ('unverified', 'verified', 'disabled')),
  verification_code varchar(45) not null,
  secret_sealed bytea not null,
  -- Previous secret, which also signs for a while.
  secret_old_sealed bytea,
  secret_old_until timestamptz(3),
  -- Time of the first failure since the last successful delivery.
  failing_since timestamptz(3),
  disabled_reason varchar(10) check (disabled_reason in ('failing', 'gone')),
  -- Delivering process, and the end of its lease.
  served_by uuid,
  served_until timestamptz(3)
);
create index webhooks_merchant_id_creation_date_id_idx on webhooks (merchant_id, creation_date desc, id desc);

-- Delivery of an event to a webhook. Attempts change no indexed column and pages have free space, so that a
-- row is updated in place (HOT).
create table deliveries (
  id varchar(45) primary key,
  sequence bigserial,
  webhook_id varchar(45) not null references webhooks (id) on delete cascade on update cascade,
  event_id varchar(45) not null references events (id) on delete cascade on update cascade,
  creation_date timestamptz(3) not null default current_timestamp,
  status varchar(10) not null default 'pending' check (status in ('pending', 'retrying', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- Time of the next retry.
  next_at timestamptz(3),
  -- Delays that the endpoint asked for, beyond the planned ones. Null instead of 0, which would take space in each row.
  postponed_seconds integer
) with (fillfactor = 50);
create index deliveries_webhook_id_creation_date_sequence_idx on deliveries (webhook_id, creation_date desc, sequence desc);
create index deliveries_event_id_idx on deliveries (event_id);
create index deliveries_next_at on deliveries (next_at) where next_at is not null;
create index deliveries_creation_date_idx on deliveries (creation_date);

-- By delivery number, so that rows written together are stored together.
create table delivery_attempts (
  sequence bigint not null,
  number integer not null,
  date timestamptz(3) not null default current_timestamp,
  status integer,
  answer varchar(1000),
  error varchar(250),
  duration integer not null,
  primary key (sequence, number)
);

-- Deliveries to send now, with the number of earlier attempts. Retries have a separate index, because in
-- the order of the queue they would come before all first attempts.
create table delivery_queue (
  webhook_id varchar(45) not null,
  sequence bigint not null,
  delivery_id varchar(45) not null,
  event_id varchar(45) not null,
  attempts integer not null default 0,
  primary key (webhook_id, sequence)
);
create index delivery_queue_retries on delivery_queue (webhook_id, sequence) where attempts > 0;
-- The queue changes too fast for statistics.
alter table delivery_queue alter column attempts set statistics 0;

create function new_delivery_id() returns varchar volatile language sql as $$
  select 'd' || left(replace(gen_random_uuid()::text, '-', ''), 19)
$$;

-- Creates deliveries in the transaction of the event, so that none is lost.
create function deliver_events() returns trigger language plpgsql as $$
begin
  insert into deliveries (id, webhook_id, event_id)
  select new_delivery_id(), webhooks.id, e.id
  from new_events e join webhooks on webhooks.merchant_id = e.merchant_id
  where webhooks.status = 'verified' and e.type not in ('verification', 'test')
    and (cardinality(webhooks.event_types) = 0 or e.type = any (webhooks.event_types))
  order by e.sequence
  -- Waits for a concurrent deletion of the webhook, so that the charge does not fail.
  for key share of webhooks;
  return null;
end $$;
create trigger deliver_events after insert on events referencing new table as new_events
  for each statement execute function deliver_events();

-- Keeps the queue in sync with deliveries. Sends no notification, because commits that notify are serialized.
create function queue_deliveries() returns trigger language plpgsql as $$
begin
  insert into delivery_queue (webhook_id, sequence, delivery_id, event_id)
  select webhook_id, sequence, id, event_id from new_deliveries;
  return null;
end $$;
create trigger queue_deliveries after insert on deliveries referencing new table as new_deliveries
  for each statement execute function queue_deliveries();

create function forget_deliveries() returns trigger language plpgsql as $$
begin
  -- In this order: a process that is recording an attempt holds its row in the queue, and has written the attempt when it
  -- releases it. Replanned each time: a plan for an empty queue would scan a full queue for each row.
  execute 'delete from delivery_queue q using old_deliveries d where q.webhook_id = d.webhook_id and q.sequence = d.sequence';
  execute 'delete from delivery_attempts a using old_deliveries d where a.sequence = d.sequence';
  return null;
end $$;
create trigger forget_deliveries after delete on deliveries referencing old table as old_deliveries
  for each statement execute function forget_deliveries();

-- The queue is empty at one moment and long at the next, so statistics mislead: with a count of zero all plans look
-- equally cheap, and a whole queue may be read for its first few rows. These functions leave only the index order.

-- Loose index scan over webhooks, independent of queue length.
create function queued_webhooks() returns setof varchar stable rows 100 language sql set enable_sort = off as $$
  with recursive queued as (
    (select webhook_id from delivery_queue order by webhook_id limit 1)
    union all
    select (select q.webhook_id from delivery_queue q where q.webhook_id > queued.webhook_id order by q.webhook_id limit 1)
    from queued where queued.webhook_id is not null
  )
  select webhook_id from queued where webhook_id is not null;
$$;

-- Next first attempts and retries, except those that the caller already has.
create function queued_deliveries(webhook varchar, from_sequence bigint, held bigint[], max_rows integer, max_retries integer)
  returns setof delivery_queue stable rows 10 language sql set enable_sort = off as $$
  (select * from delivery_queue
    where webhook_id = webhook and attempts = 0 and sequence >= from_sequence and sequence not in (select unnest(held))
    order by sequence limit max_rows)
  union all
  (select * from delivery_queue
    where webhook_id = webhook and attempts > 0 and sequence not in (select unnest(held))
    order by sequence limit max_retries);
$$;


-- 12. Outbox ----------------------------------------------------------------------------------------------------------

-- Follow-up work of a change, written in its transaction.
create table outbox (
  id bigserial primary key,
  kind varchar(30) not null,
  object_id varchar(45) not null,
  -- Environment of the workers that handle it. No default, which would misroute work of production.
  environment "Environment" not null,
  creation_date timestamptz(3) not null default current_timestamp,
  tries integer not null default 0,
  -- Due time, or time of the next retry.
  again_at timestamptz(3) not null default current_timestamp,
  -- Position among due rows, so that thousands of rows of one test clock do not delay other merchants.
  turn integer not null default 0
);
create index outbox_kind_again_at_idx on outbox (kind, again_at);
create index outbox_environment_kind_again_at_idx on outbox (environment, kind, again_at);
create index outbox_object_id_idx on outbox (object_id);


-- 13. Requests --------------------------------------------------------------------------------------------------------

create table idempotent_replies (
  merchant_id varchar(45) not null,
  method varchar(10) not null,
  path varchar(300) not null,
  key varchar(255) not null,
  body_hash bytea not null,
  -- Seed of the identifiers of created objects, so that a repeated request creates the same ones.
  seed bytea not null,
  lease_until timestamptz(3) not null,
  creation_date timestamptz(3) not null default current_timestamp,
  status integer,
  headers jsonb,
  body text,
  primary key (merchant_id, method, path, key)
);
create index idempotent_replies_creation_date_idx on idempotent_replies (creation_date);

-- Trace that created an object, so that later work joins it.
create table traces (
  object_id varchar(45) primary key,
  traceparent varchar(60) not null,
  creation_date timestamptz(3) not null default current_timestamp
);
create index traces_creation_date_idx on traces (creation_date);


-- 14. Audit log -------------------------------------------------------------------------------------------------------

-- Audit log. Written with its cause, never changed, and deleted only after sealing and 13 months.
create table audit_log (
  id bigserial primary key,
  merchant_id varchar(45),
  creation_date timestamptz(3) not null default current_timestamp,
  actor varchar(20) not null check (actor in ('key', 'session', 'operator', 'temporal', 'payer', 'system')),
  actor_id varchar(100),
  action varchar(50) not null,
  object_id varchar(45),
  address varchar(45),
  request_id varchar(45),
  before jsonb,
  after jsonb
);
create index audit_log_list on audit_log (merchant_id, creation_date desc, id desc);
create index audit_log_by_date on audit_log (creation_date desc, id desc);
create index audit_log_by_object on audit_log (object_id, id desc);

-- Each entry has a number in the chain of its merchant, and a hash of itself and of the hash before: a change or a gap
-- shows. Numbers are given after the entry is written, so that no transaction waits for another one's.
create table audit_seals (
  entry_id bigint primary key,
  chain varchar(45) not null,
  number bigint not null,
  hash bytea not null
);
create unique index audit_seals_chain_number_key on audit_seals (chain, number);

-- Each batch of seals with the newest hash of its chains, and a signature of it and of the batch before. The key is not in
-- the database.
create table audit_batches (
  number bigint primary key,
  date timestamptz(3) not null,
  heads jsonb not null,
  previous varchar(64) not null,
  signature varchar(64) not null
);
create index audit_batches_by_date on audit_batches (date);

-- Start of a chain after its oldest entries were deleted, and the signed batch that proves it.
create table audit_checkpoints (
  chain varchar(45) primary key,
  number bigint not null,
  hash bytea not null,
  batch bigint not null,
  date timestamptz(3) not null default current_timestamp
);

create table unsealed_entries (
  entry_id bigint primary key,
  chain varchar(45) not null
);
create index unsealed_entries_chain_idx on unsealed_entries (chain);

create function queue_for_sealing() returns trigger language plpgsql as $$
begin
  insert into unsealed_entries (entry_id, chain) values (new.id, coalesce(new.merchant_id, 'operators'));
  return null;
end $$;
create trigger queue_for_sealing after insert on audit_log for each row execute function queue_for_sealing();

create function keep_audit_log() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.creation_date < now() - interval '13 months' and exists (
    select from audit_seals s join audit_checkpoints c on c.chain = s.chain and s.number <= c.number
    where s.entry_id = old.id) then
    return old;
  end if;
  raise exception 'the audit log is never changed';
end $$;
create trigger keep_audit_log before update or delete on audit_log for each row execute function keep_audit_log();

create function keep_audit_seals() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (
    select from audit_checkpoints c where c.chain = old.chain and old.number <= c.number) then
    return old;
  end if;
  raise exception 'the audit log is never changed';
end $$;
create trigger keep_audit_seals before update or delete on audit_seals for each row execute function keep_audit_seals();

create function keep_audit_batches() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.date < now() - interval '13 months' then
    return old;
  end if;
  raise exception 'the audit log is never changed';
end $$;
create trigger keep_audit_batches before update or delete on audit_batches for each row execute function keep_audit_batches();

create function refuse_truncation() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is never changed';
end $$;
create trigger refuse_truncation before truncate on audit_log for each statement execute function refuse_truncation();
create trigger refuse_truncation before truncate on audit_seals for each statement execute function refuse_truncation();
create trigger refuse_truncation before truncate on audit_batches for each statement execute function refuse_truncation();

-- Hash of an entry and the previous hash. Times are numbers, because their text depends on the session.
create function audit_hash(previous bytea, entry audit_log) returns bytea language sql stable as $$
  select sha256(previous || convert_to(jsonb_build_array(entry.id, entry.merchant_id, extract(epoch from entry.creation_date),
    entry.actor, entry.actor_id, entry.action, entry.object_id, entry.address, entry.request_id, entry.before, entry.after)::text, 'UTF8'))
$$;

-- Seals new entries, and returns the head of each chain (its name, number and hash) with the number of its new entries. One
-- process at a time does this; the same transaction writes the signed batch.
create function seal_audit_log(sealed_environments text[], max_entries integer)
returns table (head jsonb, entries integer) language plpgsql as $$
declare
  sealed_chain varchar;
  place bigint;
  previous bytea;
  entry audit_log;
  sealed integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('audit log', 0)) then
    return;
  end if;
  for sealed_chain in
    select distinct u.chain from unsealed_entries u left join merchants m on m.id = u.chain
    where m.id is null or m.environment::text = any (sealed_environments) limit max_entries
  loop
    exit when sealed >= max_entries;
    place := null;
    previous := null;
    select number, hash into place, previous from audit_seals where chain = sealed_chain order by number desc limit 1;
    if place is null then
      select number, hash into place, previous from audit_checkpoints where chain = sealed_chain;
    end if;
    place := coalesce(place, 0);
    previous := coalesce(previous, ''::bytea);
    entries := 0;
    for entry in
      select l.* from unsealed_entries u join audit_log l on l.id = u.entry_id
      where u.chain = sealed_chain order by u.entry_id limit max_entries - sealed
    loop
      place := place + 1;
      previous := audit_hash(previous, entry);
      insert into audit_seals (entry_id, chain, number, hash) values (entry.id, sealed_chain, place, previous);
      delete from unsealed_entries where entry_id = entry.id;
      entries := entries + 1;
    end loop;
    sealed := sealed + entries;
    head := jsonb_build_array(sealed_chain, place, encode(previous, 'hex'));
    return next;
  end loop;
end $$;

-- Deletes what was sealed more than 13 months ago from the start of each chain, and records the new start. It is the head
-- of a batch, whose signature proves the number, the hash and the date.
create function sweep_audit_log() returns integer language plpgsql as $$
declare
  last_swept record;
  swept integer := 0;
  deleted integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit log', 0));
  for last_swept in
    select distinct on (head ->> 0) head ->> 0 as chain, (head ->> 1)::bigint as number, decode(head ->> 2, 'hex') as hash,
      b.number as batch
    from audit_batches b, jsonb_array_elements(b.heads) as head
    where b.date < now() - interval '13 months' order by head ->> 0, b.number desc
  loop
    continue when exists (
      select from audit_checkpoints c where c.chain = last_swept.chain and c.number >= last_swept.number);
    insert into audit_checkpoints (chain, number, hash, batch)
    values (last_swept.chain, last_swept.number, last_swept.hash, last_swept.batch)
    on conflict (chain) do update
      set number = excluded.number, hash = excluded.hash, batch = excluded.batch, date = now();
    delete from audit_log where id in (
      select entry_id from audit_seals where chain = last_swept.chain and number <= last_swept.number);
    get diagnostics deleted = row_count;
    delete from audit_seals where chain = last_swept.chain and number <= last_swept.number;
    swept := swept + deleted;
  end loop;
  -- The newest of the old batches precedes the first that is kept.
  delete from audit_batches b where b.date < now() - interval '13 months'
    and b.number < (select max(number) from audit_batches where date < now() - interval '13 months')
    and not exists (select from audit_checkpoints c where c.batch = b.number);
  return swept;
end $$;


-- 15. Limits and fraud rules ------------------------------------------------------------------------------------------

-- Rate limits of keys, merchants and addresses. API processes take tokens in portions, so that a request needs no query.
-- Unlogged: after a server crash all buckets are full.
create unlogged table rate_buckets (
  scope varchar(120) primary key,
  tokens double precision not null,
  granted double precision not null,
  refilled_at timestamptz(3) not null,
  blocked_until timestamptz(3)
) with (fillfactor = 20);
create index rate_buckets_by_age on rate_buckets (refilled_at);

-- Usage of a merchant in an hour. The row is updated in place for later hours.
create table quotas (
  merchant_id varchar(45) not null,
  name varchar(100) not null,
  hour timestamptz(3) not null,
  used integer not null,
  primary key (merchant_id, name)
) with (fillfactor = 50);
create index quotas_hour_idx on quotas (hour);

-- A rule with the name of a default replaces it.
create table fraud_rules (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  creation_date timestamptz(3) not null default current_timestamp,
  name varchar(100) not null,
  enabled boolean not null default true,
  applies_to varchar(10) not null check (applies_to in ('charges', 'renewals', 'both')),
  kind varchar(10) not null check (kind in ('attempts', 'declines', 'amount', 'country', 'allowed', 'blocked', 'metadata')),
  parameters jsonb not null
);
create unique index fraud_rules_merchant_id_name_key on fraud_rules (merchant_id, name);

-- Notifies processes, which cache the rules of a merchant.
create function forget_fraud_rules() returns trigger language plpgsql as $$
begin
  perform pg_notify('fraud_rules', case when tg_op = 'DELETE' then old.merchant_id else new.merchant_id end);
  return null;
end $$;
create trigger forget_fraud_rules after insert or update or delete on fraud_rules
  for each row execute function forget_fraud_rules();
create function forget_fraud_presets() returns trigger language plpgsql as $$
begin
  perform pg_notify('fraud_rules', new.id);
  return null;
end $$;
create trigger forget_fraud_presets after update of fraud_presets on merchants
  for each row execute function forget_fraud_presets();

-- Usage counters of fraud rules. The key is a keyed hash of merchant, rule, counted value and time window, so that it
-- discloses no data. Unlogged: after a crash counters restart at zero.
create unlogged table fraud_counters (
  key bytea primary key,
  used bigint not null,
  allowed bigint not null,
  expires_at timestamptz(3) not null
) with (fillfactor = 50);
create index fraud_counters_expires_at_idx on fraud_counters (expires_at);


-- 16. Operations ------------------------------------------------------------------------------------------------------

-- Heartbeats of workers and of readiness checks of the API. /ready uses them to detect hanging workers and a read-only
-- database. Rows are updated in place every few seconds.
create table heartbeats (
  name varchar(20) primary key,
  beat_at timestamptz(3) not null
) with (fillfactor = 20);

-- Worker processes with their build and drain requests.
create table workers (
  id varchar(45) primary key,
  -- Null for both.
  environment "Environment",
  host varchar(255) not null,
  pid integer not null,
  build varchar(50) not null,
  started_at timestamptz(3) not null,
  beat_at timestamptz(3) not null,
  drain_asked_at timestamptz(3)
) with (fillfactor = 20);

-- Reconciliation results: one row per invariant, and one named `books` for `npm run audit`. `scope` is an environment or
-- `all`; `checks` is the number of checked objects.
create table audits (
  id bigserial primary key,
  scope varchar(10) not null default 'all',
  name varchar(40) not null default 'books',
  ended_at timestamptz(3) not null default current_timestamp,
  checks integer not null,
  differences integer not null,
  examples text[] default array[]::text[]
);
create index audits_latest on audits (scope, name, id desc);

-- Renewals per minute. Each worker process updates its own row, so that none waits for another.
create table renewal_minutes (
  minute timestamptz(0) not null,
  environment "Environment" not null,
  process_id varchar(45) not null,
  charged integer not null,
  declined integer not null,
  unanswered integer not null,
  primary key (minute, environment, process_id)
);
