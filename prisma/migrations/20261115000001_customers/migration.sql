create type "MerchantStatus" as enum ('active', 'suspended');

alter table merchants
  add column phone varchar(100),
  add column status "MerchantStatus" not null default 'active';

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
  customer_address jsonb
);

-- The order of the merchant's list.
create index customers_merchant_id_status_creation_date_id_idx on customers (merchant_id, status, creation_date desc, id desc);

-- Unique among the live ones.
create unique index customers_external_id on customers (merchant_id, external_id) where status = 'active' and external_id is not null;

create table idempotent_replies (
  merchant_id varchar(45) not null,
  method varchar(10) not null,
  path varchar(300) not null,
  key varchar(255) not null,
  body_hash bytea not null,
  seed bytea not null,
  lease_until timestamptz(3) not null,
  creation_date timestamptz(3) not null default current_timestamp,
  status integer,
  headers jsonb,
  body text,
  primary key (merchant_id, method, path, key)
);

create index idempotent_replies_creation_date_idx on idempotent_replies (creation_date);

-- Processes keep the keys they have seen in memory; this tells them to forget.
create function forget_api_keys() returns trigger language plpgsql as $$
begin
  notify api_keys;
  return null;
end $$;

create trigger forget_api_keys after insert or update or delete on api_keys
  for each statement execute function forget_api_keys();

create trigger forget_api_keys after update or delete on merchants
  for each statement execute function forget_api_keys();
