-- What each audit found, for the metrics.
create table audits (
  id bigserial primary key,
  ended_at timestamptz(3) not null default current_timestamp,
  checks integer not null,
  differences integer not null
);
