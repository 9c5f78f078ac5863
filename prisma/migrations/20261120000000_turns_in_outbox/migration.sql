-- The place of a row among those that are due: what a test clock moves by the thousand lets everybody else go first.
alter table outbox add column turn integer not null default 0;
