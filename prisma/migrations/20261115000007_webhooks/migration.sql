-- Events have an order: that of their transactions, and within one that of their writing. A reader that stops at the oldest transaction
-- still open misses none, whenever they commit. `recorded_at` is real time, by which they are kept.
alter table events
  add column sequence bigserial,
  add column recorded_at timestamptz(3) not null default current_timestamp;
create index events_merchant_id_xact_sequence_idx on events (merchant_id, xact, sequence);
create index events_object_id_xact_sequence_idx on events (object_id, xact, sequence);
create index events_recorded_at_idx on events (recorded_at);

create table webhooks (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  creation_date timestamptz(3) not null,
  url varchar(2048) not null,
  "user" varchar(255),
  password_sealed bytea,
  -- None: all.
  event_types text[] default array[]::text[],
  status varchar(10) not null default 'unverified' check (status in ('unverified', 'verified', 'disabled')),
  verification_code varchar(45) not null,
  secret_sealed bytea not null,
  -- The one before, which also signs for a while.
  secret_old_sealed bytea,
  secret_old_until timestamptz(3),
  -- Since when nothing has arrived there.
  failing_since timestamptz(3)
);
create index webhooks_merchant_id_creation_date_id_idx on webhooks (merchant_id, creation_date desc, id desc);

-- One event on its way to one webhook.
create table deliveries (
  id varchar(45) primary key,
  sequence bigserial,
  webhook_id varchar(45) not null references webhooks (id) on delete cascade on update cascade,
  event_id varchar(45) not null references events (id) on delete cascade on update cascade,
  object_id varchar(45) not null,
  creation_date timestamptz(3) not null default current_timestamp,
  -- Waits for its first attempt (new), for another one (retrying), or is over.
  status varchar(10) not null default 'new' check (status in ('new', 'retrying', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- Until then somebody is at it, or nobody need be.
  next_at timestamptz(3) not null default current_timestamp
);
create index deliveries_webhook_id_creation_date_id_idx on deliveries (webhook_id, creation_date desc, id desc);
create index deliveries_event_id_idx on deliveries (event_id);
create index deliveries_new on deliveries (webhook_id, sequence) where status = 'new';
create index deliveries_in_order on deliveries (webhook_id, object_id, sequence) where status = 'new';

create index deliveries_retrying on deliveries (next_at) where status = 'retrying';

create table delivery_attempts (
  delivery_id varchar(45) not null references deliveries (id) on delete cascade on update cascade,
  number integer not null,
  creation_date timestamptz(3) not null default current_timestamp,
  status integer,
  answer varchar(1000),
  error varchar(250),
  ms integer not null,
  primary key (delivery_id, number)
);
create index delivery_attempts_creation_date_idx on delivery_attempts (creation_date);

create function new_delivery_id() returns varchar volatile language sql as $$
  select 'd' || left(replace(gen_random_uuid()::text, '-', ''), 19)
$$;

-- Whatever writes an event, its webhooks get it: in the same transaction, so none is lost.
create function deliver_events() returns trigger language plpgsql as $$
begin
  insert into deliveries (id, webhook_id, event_id, object_id)
  select new_delivery_id(), webhooks.id, e.id, e.object_id
  from new_events e join webhooks on webhooks.merchant_id = e.merchant_id
  where webhooks.status = 'verified' and e.type not in ('verification', 'test')
    and (cardinality(webhooks.event_types) = 0 or e.type = any (webhooks.event_types))
  order by e.sequence;
  if found then
    notify deliveries;
  end if;
  return null;
end $$;
create trigger deliver_events after insert on events referencing new table as new_events
  for each statement execute function deliver_events();
