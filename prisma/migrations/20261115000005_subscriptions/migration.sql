-- A card that a subscription holds for itself: it can be charged, and belongs to no list.
alter table cards
  drop constraint cards_status_check,
  drop constraint cards_check,
  add constraint cards_status_check check (status in ('active', 'held', 'deleted')),
  add constraint cards_check check (case when status = 'deleted' then number_sealed is null and cvv2_sealed is null and fingerprint is null
    else number_sealed is not null and fingerprint is not null end);

create or replace function destroy_cards() returns trigger language plpgsql as $$
begin
  update cards
  set status = 'deleted', number_sealed = null, cvv2_sealed = null, cvv2_date = null, fingerprint = null
  where merchant_id = new.merchant_id and customer_id = new.id and status <> 'deleted';
  return null;
end $$;

create table subscriptions (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  customer_id varchar(45) not null references customers (id) on delete restrict on update cascade,
  plan_id varchar(45) not null references plans (id) on delete restrict on update cascade,
  card_id varchar(45) not null references cards (id) on delete restrict on update cascade,
  -- Whether the card is its own, and not one of the customer's.
  holds_card boolean not null,
  creation_date timestamptz(3) not null,
  -- Every change counts it up, and is made by whoever has seen the one before.
  version integer not null default 1,
  -- One that waits for the outcome of its first charge is new, and nobody sees it.
  status varchar(10) not null check (status in ('new', 'trial', 'active', 'past_due', 'unpaid', 'cancelled')),
  cancel_at_period_end boolean not null default false,
  trial_end_date varchar(10) not null,
  -- The anchor: every charge day is counted from it.
  first_charge_day varchar(10) not null,
  current_period_number integer not null default 0,
  -- The next charge or retry; of an unpaid one, when it is given up.
  due_at timestamptz(3) not null,
  attempts integer not null default 0,
  retries_left integer not null default 0,
  -- A new card waits to be tried.
  try_now boolean not null default false,
  -- The attempt whose outcome is not known yet.
  open jsonb,
  reason varchar(30) check ((reason is not null) = (status = 'cancelled')),
  -- Of its latest charge.
  transaction_id varchar(45),
  -- The test clock: how far it is ahead; and while it is being moved, where it stands and where it goes.
  clock_offset integer not null default 0 check (clock_offset >= 0),
  clock_at timestamptz(3),
  clock_to timestamptz(3),
  check ((clock_at is null) = (clock_to is null))
);
create index subscriptions_customer_list on subscriptions (customer_id, creation_date desc, id desc);
create index subscriptions_plan_list on subscriptions (plan_id, creation_date desc, id desc);
create index subscriptions_list on subscriptions (merchant_id, creation_date desc, id desc);
create index subscriptions_card_list on subscriptions (card_id, creation_date desc, id desc);
create index subscriptions_due on subscriptions (due_at) where status <> 'cancelled' or open is not null;
create index subscriptions_moving on subscriptions (merchant_id) where clock_to is not null;

alter table transactions
  add column subscription_id varchar(45) references subscriptions (id) on delete set null on update cascade,
  add column period integer,
  add check (subscription_id is null or period is not null);
-- One charge of a period that is under way or was paid, whatever happens.
create unique index transactions_period on transactions (subscription_id, period) where subscription_id is not null and status <> 'failed';
create index transactions_subscription on transactions (subscription_id, creation_date desc, id desc) where subscription_id is not null;

-- Reservations, which run out.
create index transactions_reserved on transactions (merchant_id, creation_date) where progress in ('authorized', 'capturing', 'voiding');

-- What could not be told has its next turn later.
alter table outbox
  add column tries integer not null default 0,
  add column again_at timestamptz(3) not null default current_timestamp;
create index outbox_object_id_idx on outbox (object_id);

-- What happened to a subscription, a line each.
create table subscription_lines (
  id bigserial primary key,
  subscription_id varchar(45) not null references subscriptions (id) on delete cascade on update cascade,
  date timestamptz(3) not null,
  event varchar(30) not null,
  period integer,
  transaction_id varchar(45),
  error_code integer,
  day varchar(10)
);
create index subscription_lines_subscription_id_id_idx on subscription_lines (subscription_id, id);

-- The latest move of the test clock of a merchant, a customer or a subscription.
create table clock_moves (
  scope varchar(45) primary key,
  target timestamptz(3) not null,
  creation_date timestamptz(3) not null default current_timestamp,
  total integer not null default 0,
  -- Whether everything that it moves knows of it.
  begun boolean not null default false
);
