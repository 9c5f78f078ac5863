-- Live events of many subscriptions over one connection. Its requests may reach other processes than the one that has the
-- connection, which looks here for what is asked of it. Not logged: connections do not outlive the server either.
create unlogged table live_streams (
  id varchar(45) primary key,
  merchant_id varchar(45) not null,
  key_id varchar(45) not null,
  opened_at timestamptz(3),
  alive_until timestamptz(3) not null
);
create index live_streams_merchant_id_idx on live_streams (merchant_id);
create index live_streams_alive_until_idx on live_streams (alive_until);

-- `start_xact` is the oldest transaction that was open when it was asked for: nothing that happened since is missed.
create unlogged table live_operations (
  stream_id varchar(45) not null,
  id varchar(100) not null,
  request text not null,
  start_xact varchar(20) not null,
  primary key (stream_id, id),
  constraint live_operations_stream_id_fkey foreign key (stream_id) references live_streams (id) on update cascade on delete cascade
);
