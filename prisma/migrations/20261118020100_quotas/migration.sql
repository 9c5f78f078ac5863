-- How much of something a merchant has used in the hour that its row names. A row is used again for later hours, in place.
create table quotas (
  merchant_id varchar(45) not null,
  name varchar(100) not null,
  hour timestamptz(3) not null,
  used integer not null,
  primary key (merchant_id, name)
) with (fillfactor = 50);
create index quotas_hour_idx on quotas (hour);
