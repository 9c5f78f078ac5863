-- Kinds of e-mails that a merchant's payers get. subscription_emails stays for the processes of the previous release, and as
-- a switch for the four kinds about declined renewals; a trigger keeps the two in step.
alter table merchants
  add column payer_emails varchar(20)[] default array[]::varchar(20)[]
    check (payer_emails is not null and payer_emails <@ array['past_due', 'recovered', 'unpaid', 'ended', 'receipt',
      'refunded', 'last_retry', 'trial_ending', 'card_expiring', 'paused', 'resumed', 'plan_changed', 'cancelled',
      'voucher']::varchar(20)[]);
update merchants set payer_emails = array['ended', 'past_due', 'recovered', 'unpaid'] where subscription_emails;

create function sync_payer_emails() returns trigger language plpgsql as $$
declare
  about_declines constant varchar(20)[] := array['ended', 'past_due', 'recovered', 'unpaid'];
begin
  if tg_op = 'INSERT' then
    if new.subscription_emails and not new.payer_emails && about_declines then
      new.payer_emails := new.payer_emails || about_declines;
    end if;
  elsif new.payer_emails = old.payer_emails and new.subscription_emails <> old.subscription_emails then
    new.payer_emails := coalesce((select array_agg(kind order by kind)
      from unnest(new.payer_emails || case when new.subscription_emails then about_declines end) as kind
      where new.subscription_emails or kind <> all (about_declines)), array[]::varchar(20)[]);
  end if;
  new.subscription_emails := new.payer_emails && about_declines;
  return new;
end $$;
create trigger sync_payer_emails before insert or update of payer_emails, subscription_emails on merchants
  for each row execute function sync_payer_emails();

-- Null is Spanish.
alter table customers add column language varchar(2) check (language in ('es', 'en'));

-- One row per e-mail and cause, written before the e-mail is sent, so that a process that dies meanwhile does not lead to a
-- second e-mail. The id is part of the Message-ID.
create table sent_emails (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  customer_id varchar(45),
  kind varchar(20) not null,
  cause varchar(100) not null,
  object_id varchar(45) not null,
  recipient varchar(100) not null,
  status varchar(10) not null default 'sending'
    check (status in ('sending', 'sent', 'refused', 'unknown', 'withheld', 'bounced', 'complained')),
  -- The mail server's name of the e-mail.
  provider_id varchar(200),
  creation_date timestamptz(3) not null default current_timestamp
);
create unique index sent_emails_kind_cause_key on sent_emails (kind, cause);
create index sent_emails_provider_id_idx on sent_emails (provider_id) where provider_id is not null;
create index sent_emails_creation_date_idx on sent_emails (creation_date);

-- Identifies the latest request to send the link.
alter table payment_links add column email_id varchar(45);

-- Addresses that get no more e-mails of a merchant, in lower case.
create table suppressed_emails (
  merchant_id varchar(45) not null references merchants (id) on delete cascade on update cascade,
  email varchar(100) not null,
  reason varchar(10) not null check (reason in ('bounced', 'complained')),
  creation_date timestamptz(3) not null default current_timestamp,
  primary key (merchant_id, email)
);

-- Queues e-mails about charges in the transaction of their event, so that no writer of events can forget one.
create function queue_charge_emails() returns trigger language plpgsql as $$
begin
  insert into outbox (kind, object_id, environment)
  select 'charge_mail', e.id, m.environment
  from new_events e, lateral (select environment, payer_emails from merchants where id = e.merchant_id offset 0) m
  where e.type in ('charge.succeeded', 'charge.refunded', 'charge.created')
    and case e.type when 'charge.succeeded' then 'receipt' when 'charge.refunded' then 'refunded' else 'voucher' end
      = any (m.payer_emails)
  order by e.sequence;
  return null;
end $$;
create trigger queue_charge_emails after insert on events referencing new table as new_events
  for each statement execute function queue_charge_emails();
