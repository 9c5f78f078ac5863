-- A key has a name of its own, by which it is shown, limited and revoked. Of the key itself only the end is shown.
alter table api_keys
  add column id varchar(45) not null default 'c' || left(replace(gen_random_uuid()::text, '-', ''), 19),
  add column name varchar(100),
  add column last_four varchar(4),
  add column read_only boolean not null default false,
  add column addresses text[] default array[]::text[];
create unique index api_keys_id_key on api_keys (id);

-- Not a column of the keys: each change of those makes every process look them up again.
create table key_uses (
  key_id varchar(45) primary key,
  used_at timestamptz(3) not null
) with (fillfactor = 50);

create table operator_keys (
  hash bytea primary key,
  id varchar(45) not null,
  name varchar(100) not null,
  role varchar(10) not null check (role in ('read', 'support', 'admin')),
  last_four varchar(4) not null,
  creation_date timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3)
);
create unique index operator_keys_id_key on operator_keys (id);
create trigger forget_api_keys after insert or update or delete on operator_keys
  for each statement execute function forget_api_keys();

-- Who did what to what. Written with its cause, never changed, and deleted only once it is sealed and 13 months old.
create table audit_log (
  id bigserial primary key,
  merchant_id varchar(45),
  creation_date timestamptz(3) not null default current_timestamp,
  actor varchar(20) not null check (actor in ('key', 'session', 'operator', 'temporal', 'payer', 'system')),
  actor_id varchar(100),
  action varchar(50) not null,
  object_id varchar(45),
  address varchar(45),
  request_id varchar(45),
  before jsonb,
  after jsonb
);
create index audit_log_list on audit_log (merchant_id, creation_date desc, id desc);
create index audit_log_by_date on audit_log (creation_date desc, id desc);

-- Each entry has a number in the chain of its merchant, and a hash of it and of the hash before: what was changed or
-- taken out shows. Numbers are given after the entry, so that nobody waits for somebody else's.
create table audit_seals (
  entry_id bigint primary key,
  chain varchar(45) not null,
  number bigint not null,
  hash bytea not null
);
create unique index audit_seals_chain_number_key on audit_seals (chain, number);

-- Where the chain begins after its oldest entries were deleted.
create table audit_checkpoints (
  chain varchar(45) primary key,
  number bigint not null,
  hash bytea not null,
  date timestamptz(3) not null default current_timestamp
);

create table unsealed_entries (
  entry_id bigint primary key,
  chain varchar(45) not null
);
create index unsealed_entries_chain_idx on unsealed_entries (chain);

create function queue_for_sealing() returns trigger language plpgsql as $$
begin
  insert into unsealed_entries (entry_id, chain) values (new.id, coalesce(new.merchant_id, 'operators'));
  return null;
end $$;
create trigger queue_for_sealing after insert on audit_log for each row execute function queue_for_sealing();

create function keep_audit_log() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.creation_date < now() - interval '13 months' and exists (
    select from audit_seals s join audit_checkpoints c on c.chain = s.chain and s.number <= c.number
    where s.entry_id = old.id) then
    return old;
  end if;
  raise exception 'the audit log is never changed';
end $$;
create trigger keep_audit_log before update or delete on audit_log for each row execute function keep_audit_log();
create function refuse_truncation() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is never changed';
end $$;
create trigger refuse_truncation before truncate on audit_log for each statement execute function refuse_truncation();
