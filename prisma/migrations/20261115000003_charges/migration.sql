-- What a charge costs a merchant, in hundredths of a percent and in centavos; and how far the sandbox's clock is ahead.
alter table merchants
  add column cost_rate integer not null default 290 check (cost_rate between 0 and 10000),
  add column cost_fixed bigint not null default 90000 check (cost_fixed >= 0),
  add column clock_offset integer not null default 0 check (clock_offset >= 0);
alter table customers
  add column clock_offset integer not null default 0 check (clock_offset >= 0);

-- The time of a merchant's or a customer's objects: the real one, and in the sandbox as much later as its clock was moved.
create function clock_offset_of(merchant varchar, customer varchar) returns integer stable language sql as $$
  select greatest(
    (select clock_offset from merchants where id = merchant),
    coalesce((select clock_offset from customers where id = customer), 0))
$$;

create table transactions (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  customer_id varchar(45) references customers (id) on delete restrict on update cascade,
  parent_id varchar(45) references transactions (id) on delete restrict on update cascade,
  creation_date timestamptz(3) not null,
  operation_date timestamptz(3) not null,
  transaction_type varchar(10) not null check (transaction_type in ('charge', 'refund', 'fee')),
  operation_type varchar(3) not null check (operation_type in ('in', 'out')),
  method varchar(20) not null check (method in ('card', 'store', 'bank_account', 'customer')),
  status varchar(25) not null check (status in ('in_progress', 'completed', 'refunded', 'chargeback_pending', 'chargeback_accepted',
    'chargeback_adjustment', 'charge_pending', 'cancelled', 'failed')),
  -- How far our own work on it is: the acquirer was asked and the answer is not written yet (prepared, capturing, voiding), it waits
  -- for a capture (authorized), or it is over.
  progress varchar(12) not null check (progress in ('prepared', 'authorized', 'capturing', 'voiding', 'settled')),
  amount bigint not null check (amount > 0),
  iva varchar(100),
  description varchar(250),
  order_id varchar(100),
  -- A charge that ended without an answer of the acquirer gives its order_id back.
  holds_order_id boolean not null default true,
  "authorization" varchar(20),
  conciliated boolean not null default false,
  error_code integer,
  error_message varchar(250),
  fraud_rules jsonb,
  card jsonb,
  source_id varchar(45),
  customer jsonb,
  metadata jsonb,
  device_session_id varchar(255),
  capture boolean not null default true,
  capture_amount bigint check (capture_amount between 1 and amount),
  -- Counts captures that were tried, so that each has a key of its own; and whose work is going on or was the last.
  attempts integer not null default 0,
  work_id varchar(45),
  -- The account that is credited, and what it costs.
  account varchar(60) not null,
  cost_rate integer not null,
  cost_fixed bigint not null,
  fee_amount bigint,
  fee_tax bigint,
  clock_offset integer not null default 0,
  -- Until then somebody works on it; afterwards anybody may.
  lease_until timestamptz(3)
);

create unique index transactions_order_id on transactions (merchant_id, order_id) where order_id is not null and holds_order_id;
-- Also those that have given theirs back are found by it.
create index transactions_by_order_id on transactions (merchant_id, order_id) where order_id is not null;
create index transactions_list on transactions (merchant_id, transaction_type, creation_date desc, id desc);
create index transactions_list_by_status on transactions (merchant_id, transaction_type, status, creation_date desc, id desc);
create index transactions_list_by_amount on transactions (merchant_id, transaction_type, amount, creation_date desc, id desc);
create index transactions_customer_list on transactions (customer_id, transaction_type, creation_date desc, id desc) where customer_id is not null;
create index transactions_parent on transactions (parent_id) where parent_id is not null;
create index transactions_unfinished on transactions (lease_until) where progress in ('prepared', 'capturing', 'voiding');

-- The books: every movement is a set of entries that sums to zero, written by one statement and never touched again.
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

-- What all entries of transactions before the horizon sum to. Those before it have ended, so no entry can be added there any more.
create table balances (
  account varchar(60) primary key,
  balance bigint not null,
  horizon xid8 not null
);

create function balance_of(name varchar) returns bigint stable language sql as $$
  select (coalesce((select balance from balances where account = name), 0)
    + coalesce((select sum(amount) from entries where account = name
        and xact >= coalesce((select horizon from balances where account = name), '0'::xid8)), 0))::bigint
$$;

-- The part of a sum that belongs to a part of a whole, rounded half up.
create function share_of(total bigint, part bigint, whole bigint) returns bigint immutable language sql as $$
  select floor((2 * total::numeric * part + whole) / (2 * whole))::bigint
$$;

create table events (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  type varchar(50) not null,
  object_id varchar(45) not null,
  object jsonb not null,
  creation_date timestamptz(3) not null,
  xact xid8 not null default pg_current_xact_id()
);
create index events_merchant_id_creation_date_id_idx on events (merchant_id, creation_date desc, id desc);

-- What is to be told to others, in the transaction of its cause.
create table outbox (
  id bigserial primary key,
  kind varchar(30) not null,
  object_id varchar(45) not null,
  creation_date timestamptz(3) not null default current_timestamp
);
