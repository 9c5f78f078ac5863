-- Billing that operators hold: of a subscription, a customer, a plan, a merchant, or of everything in an environment, whose name is
-- then the object. Identifiers of different kinds begin with different letters, so one index finds whatever covers a subscription, and
-- it holds only what is held now.
create table billing_holds (
  id varchar(45) primary key,
  environment "Environment" not null,
  scope varchar(20) not null check (scope in ('subscription', 'customer', 'plan', 'merchant', 'everything')),
  merchant_id varchar(45) references merchants (id),
  object_id varchar(45) not null,
  reason varchar(1000) not null,
  actor varchar(20) not null,
  actor_id varchar(100),
  held_at timestamptz(3) not null default current_timestamp,
  until timestamptz(3),
  released_at timestamptz(3),
  released_by varchar(20),
  released_by_id varchar(100),
  over_seconds integer,
  check ((scope = 'everything') = (merchant_id is null)),
  check ((released_at is null) = (released_by is null))
);
create unique index billing_holds_open on billing_holds (object_id) where released_at is null;
create index billing_holds_list on billing_holds (held_at desc, id desc);

-- The work that follows from a hold belongs to its environment.
create or replace function set_outbox_environment() returns trigger language plpgsql as $$
begin
  new.environment := case new.kind
    when 'merchant' then (select environment from merchants where id = new.object_id)
    when 'settlement' then coalesce((select environment from settlement_reports where id = new.object_id), 'sandbox')
    when 'hold' then coalesce((select environment from billing_holds where id = new.object_id), 'sandbox')
    else environment_of(new.kind, new.object_id)
  end;
  return new;
end $$;
