-- An audit has one row for each thing that it holds, so that the metrics and the page of operators name what is not so. `scope` is an
-- environment, or `all`; `checks` counts what was looked at. Rows that the previous release writes are those of `npm run audit`.
alter table audits
  add column scope varchar(10) not null default 'all',
  add column name varchar(40) not null default 'books',
  add column examples text[] default array[]::text[];
create index audits_latest on audits (scope, name, id desc);

-- Which charges are those of subscriptions is read from the index too, and not from each row of the day.
drop index transactions_stats;
create index transactions_stats on transactions (merchant_id, creation_date) include (status, error_code, amount, subscription_id)
  where transaction_type = 'charge' and progress = 'settled';

-- What the workers charged in each minute. Each writes its own sums again and again, so that none waits for another.
create table renewal_minutes (
  minute timestamptz(0) not null,
  environment "Environment" not null,
  process_id varchar(45) not null,
  charged integer not null,
  declined integer not null,
  unanswered integer not null,
  primary key (minute, environment, process_id)
);
