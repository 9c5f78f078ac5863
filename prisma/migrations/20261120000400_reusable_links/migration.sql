-- Links that several payers use, or whose amount or customer the payer enters. Each payer gets a link of their own
-- (`parent_id`), which is used once as before. The dropped constraints required an amount and a customer.
alter table payment_links
  drop constraint payment_links_check,
  drop constraint payment_links_check2,
  add parent_id varchar(45) references payment_links (id) on delete restrict on update cascade,
  add reusable boolean not null default false,
  add min_amount bigint check (min_amount > 0),
  add max_amount bigint constraint payment_links_range_check check (max_amount >= min_amount),
  add suggested_amounts integer[] default array[]::integer[] check (suggested_amounts is not null),
  add max_payments integer check (max_payments > 0),
  -- Uses that have ended or can still end with a payment or a subscription, so that no further payer is charged.
  add places integer not null default 0,
  add started integer not null default 0,
  add payments integer not null default 0,
  add constraint payment_links_places_check check (places between 0 and coalesce(max_payments, places));
create index payment_links_uses on payment_links (parent_id, creation_date desc, id desc) where parent_id is not null;

-- The link that its merchant created, if `payment_link_id` is the link of one payer.
alter table transactions add parent_link_id varchar(45);

-- Takes places of an active link, or releases them. The check of the link refuses more than it has.
create function change_link_places(link varchar, taken integer, started_uses integer, paid integer) returns void
language plpgsql as $$
begin
  if taken = 0 and started_uses = 0 and paid = 0 then
    return;
  end if;
  update payment_links set places = places + taken, started = started + started_uses, payments = payments + paid
  where id = link and (status = 'active' or (taken <= 0 and started_uses = 0));
  if not found then
    raise check_violation using constraint = 'payment_links_places_check', message = 'payment_links_places_check: closed';
  end if;
end $$;

create function count_link_use() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform change_link_places(new.parent_id, 0, 1, 0);
  else
    perform change_link_places(new.parent_id,
      (new.subscription_id is not null)::integer - (old.subscription_id is not null)::integer, 0,
      (new.status = 'completed')::integer - (old.status = 'completed')::integer);
  end if;
  return null;
end $$;
create trigger count_link_use after insert or update of status, subscription_id on payment_links
  for each row when (new.parent_id is not null) execute function count_link_use();

-- A payer who has not entered a card yet takes no place.
create function takes_link_place(payment transactions) returns integer language sql immutable as $$
  select (payment.status not in ('failed', 'cancelled') and (payment.progress <> 'pending' or payment.method <> 'card'))::integer
$$;

create function count_linked_payment() returns trigger language plpgsql as $$
begin
  perform change_link_places(new.parent_link_id,
    takes_link_place(new) - case tg_op when 'INSERT' then 0 else takes_link_place(old) end, 0, 0);
  return null;
end $$;
create trigger count_linked_payment after insert or update of status, progress on transactions
  for each row when (new.parent_link_id is not null) execute function count_linked_payment();
