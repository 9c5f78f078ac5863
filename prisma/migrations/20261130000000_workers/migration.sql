-- Every worker process with its build, for operators: which are there, and which of them is asked to finish and end.
-- Each row is written every few seconds, in place.
create table workers (
  id varchar(45) primary key,
  environment "Environment",
  host varchar(255) not null,
  pid integer not null,
  build varchar(50) not null,
  started_at timestamptz(3) not null,
  beat_at timestamptz(3) not null,
  drain_asked_at timestamptz(3)
) with (fillfactor = 20);
