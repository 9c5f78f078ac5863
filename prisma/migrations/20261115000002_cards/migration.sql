create table cards (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  customer_id varchar(45) references customers (id) on delete restrict on update cascade,
  creation_date timestamptz(3) not null default current_timestamp,
  holder_name varchar(80) not null,
  card_number varchar(19) not null,
  expiration_month varchar(2) not null,
  expiration_year varchar(2) not null,
  brand varchar(30) not null,
  type varchar(10) not null,
  bank_name varchar(100) not null,
  bank_code varchar(10) not null,
  address jsonb,
  device_session_id varchar(255),
  status varchar(10) not null default 'active' check (status in ('active', 'deleted')),
  number_sealed bytea,
  cvv2_sealed bytea,
  cvv2_date timestamptz(3),
  fingerprint bytea,
  -- What is deleted keeps nothing that could be charged.
  check (case status when 'active' then number_sealed is not null and fingerprint is not null
         else number_sealed is null and cvv2_sealed is null and fingerprint is null end),
  check ((cvv2_sealed is null) = (cvv2_date is null))
);

-- The order of the lists, of the merchant's own cards and of a customer's.
create index cards_merchant_id_customer_id_status_creation_date_id_idx
  on cards (merchant_id, customer_id, status, creation_date desc, id desc);

create index cards_cvv2_date_idx on cards (cvv2_date);

-- The same number once for a customer.
create unique index cards_fingerprint on cards (customer_id, fingerprint) where status = 'active' and customer_id is not null;

create table tokens (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  creation_date timestamptz(3) not null default current_timestamp,
  holder_name varchar(80) not null,
  card_number varchar(19) not null,
  expiration_month varchar(2) not null,
  expiration_year varchar(2) not null,
  brand varchar(30) not null,
  type varchar(10) not null,
  bank_name varchar(100) not null,
  bank_code varchar(10) not null,
  address jsonb,
  number_sealed bytea,
  cvv2_sealed bytea,
  fingerprint bytea,
  used_at timestamptz(3),
  used_by varchar(45),
  check ((used_at is null) = (used_by is null)),
  -- Only what was used may have lost its number.
  check (number_sealed is not null or used_at is not null)
);

create index tokens_creation_date_idx on tokens (creation_date);
create index tokens_used_at_idx on tokens (used_at);

-- By what each key of the vault proves to be the one of that name.
create table vault_keys (
  id varchar(16) primary key,
  proof bytea not null
);

-- The numbers of a customer's cards go with the customer.
create function destroy_cards() returns trigger language plpgsql as $$
begin
  update cards
  set status = 'deleted', number_sealed = null, cvv2_sealed = null, cvv2_date = null, fingerprint = null
  where merchant_id = new.merchant_id and customer_id = new.id and status = 'active';
  return null;
end $$;

create trigger destroy_cards after update of status on customers
  for each row when (old.status = 'active' and new.status = 'deleted') execute function destroy_cards();
