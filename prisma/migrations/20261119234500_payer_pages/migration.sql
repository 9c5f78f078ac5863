-- Links to the page on which the payer of a subscription manages it. The token in a link is derived from subscription
-- and generation under a key, so that no secret is stored.
create table subscription_links (
  subscription_id varchar(45) primary key references subscriptions (id) on delete cascade on update cascade,
  generation integer not null default 1,
  -- Null while there is no link, because it was revoked.
  creation_date timestamptz(3),
  attempts integer not null default 0,
  lease_until timestamptz(3),
  declines integer not null default 0,
  error_code integer
);
-- What payers may do on their page beside changing the card.
alter table merchants
  add column payer_actions varchar(10)[] default array[]::varchar(10)[]
    check (payer_actions is not null and payer_actions <@ array['cancel', 'pause']::varchar(10)[]);
