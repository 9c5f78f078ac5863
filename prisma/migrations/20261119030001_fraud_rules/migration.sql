-- What a merchant refuses before the acquirer is asked. A row with the name of a default replaces it.
create table fraud_rules (
  id varchar(45) primary key,
  merchant_id varchar(45) not null,
  creation_date timestamptz(3) not null default current_timestamp,
  name varchar(100) not null,
  enabled boolean not null default true,
  applies_to varchar(10) not null check (applies_to in ('charges', 'renewals', 'both')),
  kind varchar(10) not null check (kind in ('attempts', 'declines', 'amount', 'country', 'allowed', 'blocked', 'metadata')),
  parameters jsonb not null,
  constraint fraud_rules_merchant_id_fkey foreign key (merchant_id) references merchants (id) on update cascade on delete restrict
);
create unique index fraud_rules_merchant_id_name_key on fraud_rules (merchant_id, name);

-- Which defaults a merchant has, where it wants others than those of its environment.
alter table merchants add column fraud_presets varchar(10) check (fraud_presets in ('sandbox', 'production'));

-- Processes keep the rules of a merchant until they are told that they have changed.
create function forget_fraud_rules() returns trigger language plpgsql as $$
begin
  perform pg_notify('fraud_rules', case when tg_op = 'DELETE' then old.merchant_id else new.merchant_id end);
  return null;
end $$;
create trigger forget_fraud_rules after insert or update or delete on fraud_rules
  for each row execute function forget_fraud_rules();
create function forget_fraud_presets() returns trigger language plpgsql as $$
begin
  perform pg_notify('fraud_rules', new.id);
  return null;
end $$;
create trigger forget_fraud_presets after update of fraud_presets on merchants
  for each row execute function forget_fraud_presets();

-- How much of what a rule allows is used within a time. The key is a keyed hash of the merchant, the rule, what is counted and
-- the time, so nothing can be read from it. Not logged: after a crash of the server the count begins anew.
create unlogged table fraud_counters (
  key bytea primary key,
  used bigint not null,
  allowed bigint not null,
  expires_at timestamptz(3) not null
) with (fillfactor = 50);
create index fraud_counters_expires_at_idx on fraud_counters (expires_at);

-- Of the payer's browser, for rules that are tried on earlier charges.
alter table transactions add column payer_address varchar(45);
