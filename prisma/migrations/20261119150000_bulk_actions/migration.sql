-- Bulk actions: one action of an operator on every subscription that a query of workflows finds.
create table bulk_actions (
  id varchar(45) primary key,
  environment "Environment" not null,
  action varchar(20) not null check (action in ('cancel', 'hold', 'release', 'retry', 'ask_acquirer')),
  query varchar(1000) not null,
  reason varchar(1000) not null,
  actor varchar(20) not null,
  actor_id varchar(100),
  -- Subscriptions per second.
  rate integer not null check (rate > 0),
  state varchar(10) not null default 'listing' check (state in ('listing', 'running', 'done', 'stopped')),
  -- Position in the list of Temporal.
  page_token bytea,
  found integer not null default 0,
  done integer not null default 0,
  refused integer not null default 0,
  -- When a worker continues: the next second, or the end of the lease of a worker.
  again_at timestamptz(3) not null default current_timestamp,
  creation_date timestamptz(3) not null default current_timestamp,
  finished_at timestamptz(3),
  check ((finished_at is null) = (state in ('listing', 'running')))
);
create index bulk_actions_list on bulk_actions (creation_date desc, id desc);
create index bulk_actions_open on bulk_actions (again_at) where finished_at is null;

create table bulk_items (
  bulk_id varchar(45) not null references bulk_actions (id),
  subscription_id varchar(45) not null,
  -- Null until it was handled.
  outcome varchar(10) check (outcome in ('done', 'refused')),
  message varchar(1000),
  -- Attempts that failed, such as during an outage.
  tries integer not null default 0,
  primary key (bulk_id, subscription_id)
);
create index bulk_items_pending on bulk_items (bulk_id, tries, subscription_id) where outcome is null;
create index bulk_items_refused on bulk_items (bulk_id, subscription_id) where outcome = 'refused';
