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
