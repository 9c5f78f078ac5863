-- When a worker, and an API that was asked whether it is ready, last wrote. So /ready notices a worker that hangs while Temporal still
-- takes it for connected, and a database that answers but takes no writes. Each row is written every few seconds, in place.
create table heartbeats (
  name varchar(20) primary key,
  beat_at timestamptz(3) not null
) with (fillfactor = 20);
