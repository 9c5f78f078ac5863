create type "Environment" as enum ('sandbox', 'production');

create type "KeyKind" as enum ('private', 'public');

create table merchants (
  id varchar(45) primary key,
  environment "Environment" not null,
  name varchar(100) not null,
  email varchar(100) not null,
  creation_date timestamptz(3) not null default current_timestamp
);

create table api_keys (
  hash bytea primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  kind "KeyKind" not null,
  creation_date timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3)
);

create index api_keys_merchant_id_idx on api_keys (merchant_id);

create index api_keys_expires_at_idx on api_keys (expires_at);
