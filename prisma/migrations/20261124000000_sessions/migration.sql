-- What a page in a browser works with instead of a key: for a while, for some origins, for part of what the key may do.
-- It ends with its key, which is looked up by its id: a key that was deleted leaves sessions that are worth nothing.
create table sessions (
  hash bytea primary key,
  id varchar(45) not null,
  merchant_id varchar(45) not null,
  key_id varchar(45) not null,
  customer_id varchar(45),
  origins text[] check (origins is not null and cardinality(origins) > 0),
  scope text[] check (scope is not null and cardinality(scope) > 0),
  creation_date timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  constraint sessions_merchant_id_fkey foreign key (merchant_id) references merchants (id) on update cascade on delete restrict,
  constraint sessions_customer_id_fkey foreign key (customer_id) references customers (id) on update cascade on delete set null
);
create unique index sessions_id_key on sessions (id);
create index sessions_merchant_id_creation_date_id_idx on sessions (merchant_id, creation_date desc, id desc);
create index sessions_customer_id_idx on sessions (customer_id);
create index sessions_expires_at_idx on sessions (expires_at);
create index sessions_origins_idx on sessions using gin (origins);

-- Processes forget the one that is named. A new one is in nobody's memory, and one that expires needs no telling.
create function forget_session() returns trigger language plpgsql as $$
begin
  perform pg_notify('api_keys', old.id);
  return null;
end $$;
create trigger forget_changed_session after update on sessions for each row execute function forget_session();
create trigger forget_deleted_session after delete on sessions for each row
  when (old.expires_at > current_timestamp) execute function forget_session();
