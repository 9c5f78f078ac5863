-- At most one e-mail a day may ask a payer for an unpaid period. The row is written before it is sent, so that a crash
-- sends the same e-mail again and not another one.
create table collection_emails (
  customer_id varchar(45) not null references customers (id) on delete cascade on update cascade,
  day varchar(10) not null,
  subscription_id varchar(45) not null references subscriptions (id) on delete cascade on update cascade,
  kind varchar(30) not null,
  period integer not null,
  primary key (customer_id, day)
);
create index collection_emails_day on collection_emails (day);
