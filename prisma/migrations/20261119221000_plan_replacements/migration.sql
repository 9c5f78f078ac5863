-- Replacements of plans by a successor, and the subscribers whose change to it is scheduled.
create table plan_replacements (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id),
  plan_id varchar(45) not null references plans (id),
  successor_id varchar(45) not null references plans (id),
  creation_date timestamptz(3) not null,
  actor varchar(20) not null,
  actor_id varchar(100),
  status varchar(10) not null default 'running' check (status in ('running', 'done')),
  total integer not null,
  done integer not null default 0,
  skipped integer not null default 0,
  -- Sums of a period of all subscribers when it was requested.
  current_amount bigint not null,
  new_amount bigint not null,
  finished_at timestamptz(3),
  check ((status = 'done') = (finished_at is not null))
);
create index plan_replacements_latest on plan_replacements (plan_id, creation_date desc, id desc);
-- One at a time: a second one would schedule other changes for the same subscribers.
create unique index plan_replacements_running on plan_replacements (plan_id) where status = 'running';

create table plan_replacement_items (
  replacement_id varchar(45) not null references plan_replacements (id),
  subscription_id varchar(45) not null,
  -- Null until it was handled.
  outcome varchar(10) check (outcome in ('done', 'skipped')),
  -- Why it was skipped.
  reason varchar(30),
  -- Attempts that have to be repeated, such as during a charge of a change.
  tries integer not null default 0,
  primary key (replacement_id, subscription_id),
  check ((reason is not null) = (outcome is not distinct from 'skipped'))
);
create index plan_replacement_items_pending on plan_replacement_items (replacement_id, tries, subscription_id) where outcome is null;
create index plan_replacement_items_skipped on plan_replacement_items (replacement_id, subscription_id) where outcome = 'skipped';
