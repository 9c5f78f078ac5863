alter table merchants
  add column suspended_at timestamptz(3),
  add column suspension_reason text;

-- What is to be done about a merchant itself.
create or replace function set_outbox_environment() returns trigger language plpgsql as $$
begin
  new.environment := case
    when new.kind = 'merchant' then (select environment from merchants where id = new.object_id)
    else environment_of(new.kind, new.object_id)
  end;
  return new;
end $$;
