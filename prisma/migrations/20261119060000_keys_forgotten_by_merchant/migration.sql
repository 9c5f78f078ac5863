-- Processes forget the keys of the merchant that is named, and no others; and of a merchant only what says something
-- about its keys: otherwise one that changes its name all the time would keep everybody's keys from being remembered.
create or replace function forget_api_keys() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'merchants' then
    perform pg_notify('api_keys', old.id);
  elsif tg_table_name = 'operator_keys' then
    perform pg_notify('api_keys', '');
  else
    perform pg_notify('api_keys', coalesce(new.merchant_id, old.merchant_id));
  end if;
  return null;
end $$;

drop trigger forget_api_keys on api_keys;
create trigger forget_api_keys after insert or update or delete on api_keys
  for each row execute function forget_api_keys();
drop trigger forget_api_keys on operator_keys;
create trigger forget_api_keys after insert or update or delete on operator_keys
  for each row execute function forget_api_keys();
drop trigger forget_api_keys on merchants;
create trigger forget_api_keys after update of status, environment or delete on merchants
  for each row execute function forget_api_keys();
