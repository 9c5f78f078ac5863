-- In production a worker works for one environment. Each row of the outbox says whose it is, so that a worker finds its own however
-- many rows of the other environment wait. A trigger writes it: no statement can forget it, nor can the processes of the previous
-- release. An object that does not exist any more has nothing to be done for it, whoever looks.
create function environment_of(kind varchar, object varchar) returns "Environment" stable language sql as $$
  select coalesce((select environment from merchants where id = case
    when kind in ('subscription', 'nudge') then (select merchant_id from subscriptions where id = object)
    when kind = 'delivery' then (select w.merchant_id from deliveries d join webhooks w on w.id = d.webhook_id where d.id = object)
    when kind = 'webhook_mail' then (select merchant_id from webhooks where id = object)
    when kind = 'customer' then (select merchant_id from customers where id = object)
    else (select merchant_id from transactions where id = object)
  end), 'sandbox')
$$;

create function set_outbox_environment() returns trigger language plpgsql as $$
begin
  new.environment := environment_of(new.kind, new.object_id);
  return new;
end $$;

alter table outbox add column environment "Environment" not null default 'sandbox';
create trigger set_outbox_environment before insert on outbox for each row execute function set_outbox_environment();
update outbox set environment = environment_of(kind, object_id);
create index outbox_environment_kind_again_at_idx on outbox (environment, kind, again_at);
