-- How many requests a key, a merchant or an address may make now. API processes take tokens in portions, so that a request needs no
-- statement. Not logged: after a crash of the server every bucket is full again, which harms nobody.
create unlogged table rate_buckets (
  scope varchar(120) primary key,
  tokens double precision not null,
  granted double precision not null,
  refilled_at timestamptz(3) not null,
  blocked_until timestamptz(3)
) with (fillfactor = 20);
create index rate_buckets_by_age on rate_buckets (refilled_at);

-- Declined cards are counted by the address of the browser that sent them, too.
alter table tokens add column created_from varchar(45);
