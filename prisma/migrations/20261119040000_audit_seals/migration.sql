-- The hash of an entry and of everything before it. Moments are numbers, since their text depends on who asks.
create function audit_hash(previous bytea, entry audit_log) returns bytea language sql stable as $$
  select sha256(previous || convert_to(jsonb_build_array(entry.id, entry.merchant_id, extract(epoch from entry.creation_date),
    entry.actor, entry.actor_id, entry.action, entry.object_id, entry.address, entry.request_id, entry.before, entry.after)::text, 'UTF8'))
$$;

-- Seals what has no seal yet, one sealer per chain: whoever comes second leaves that chain to the first. Answers how many.
create function seal_audit_log(sealed_environments text[], max_entries integer) returns integer language plpgsql as $$
declare
  sealed_chain varchar;
  place bigint;
  previous bytea;
  entry audit_log;
  sealed integer := 0;
begin
  for sealed_chain in
    select distinct u.chain from unsealed_entries u left join merchants m on m.id = u.chain
    where m.id is null or m.environment::text = any (sealed_environments) limit 100
  loop
    exit when sealed >= max_entries;
    continue when not pg_try_advisory_xact_lock(hashtextextended('audit log ' || sealed_chain, 0));
    place := null;
    select number, hash into place, previous from audit_seals where chain = sealed_chain order by number desc limit 1;
    if place is null then
      select number, hash into place, previous from audit_checkpoints where chain = sealed_chain;
    end if;
    place := coalesce(place, 0);
    previous := coalesce(previous, ''::bytea);
    for entry in
      select l.* from unsealed_entries u join audit_log l on l.id = u.entry_id
      where u.chain = sealed_chain order by u.entry_id limit max_entries - sealed
    loop
      place := place + 1;
      previous := audit_hash(previous, entry);
      insert into audit_seals (entry_id, chain, number, hash) values (entry.id, sealed_chain, place, previous);
      delete from unsealed_entries where entry_id = entry.id;
      sealed := sealed + 1;
    end loop;
    previous := null;
  end loop;
  return sealed;
end $$;

-- Deletes the beginning of each chain that is older than 13 months, and notes where the chain begins from then on.
create function sweep_audit_log() returns integer language plpgsql as $$
declare
  old_chain varchar;
  first_kept bigint;
  last_swept record;
  swept integer := 0;
  deleted integer;
begin
  for old_chain in
    select distinct coalesce(merchant_id, 'operators') from audit_log where creation_date < now() - interval '13 months'
  loop
    continue when not pg_try_advisory_xact_lock(hashtextextended('audit log ' || old_chain, 0));
    select s.number into first_kept from audit_seals s join audit_log l on l.id = s.entry_id
    where s.chain = old_chain and l.creation_date >= now() - interval '13 months' order by s.number limit 1;
    select number, hash into last_swept from audit_seals
    where chain = old_chain and (first_kept is null or number < first_kept) order by number desc limit 1;
    continue when last_swept is null;
    insert into audit_checkpoints (chain, number, hash) values (old_chain, last_swept.number, last_swept.hash)
    on conflict (chain) do update set number = excluded.number, hash = excluded.hash, date = now();
    delete from audit_log where id in (
      select entry_id from audit_seals where chain = old_chain and number <= last_swept.number);
    get diagnostics deleted = row_count;
    delete from audit_seals where chain = old_chain and number <= last_swept.number;
    swept := swept + deleted;
  end loop;
  return swept;
end $$;

create function keep_audit_seals() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (
    select from audit_checkpoints c where c.chain = old.chain and old.number <= c.number) then
    return old;
  end if;
  raise exception 'the audit log is never changed';
end $$;
create trigger keep_audit_seals before update or delete on audit_seals for each row execute function keep_audit_seals();
create trigger refuse_truncation before truncate on audit_seals for each statement execute function refuse_truncation();
