-- Whether payers get e-mails about renewals that were declined. Merchants that were here before have their own, so it begins as no.
alter table merchants add column subscription_emails boolean not null default false;

-- The e-mails about a subscription belong to the environment of its merchant.
create or replace function set_outbox_environment() returns trigger language plpgsql as $$
begin
  new.environment := case
    when new.kind = 'merchant' then (select environment from merchants where id = new.object_id)
    when new.kind = 'settlement' then coalesce((select environment from settlement_reports where id = new.object_id), 'sandbox')
    when new.kind = 'hold' then coalesce((select environment from billing_holds where id = new.object_id), 'sandbox')
    when new.kind in ('past_due_mail', 'recovered_mail', 'unpaid_mail', 'ended_mail') then environment_of('subscription', new.object_id)
    else environment_of(new.kind, new.object_id)
  end;
  return new;
end $$;
