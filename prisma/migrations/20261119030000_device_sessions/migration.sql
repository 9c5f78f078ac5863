-- Visits of browsers, by what they say of themselves. The browser makes the id, so it is unique within a merchant only.
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
