-- Texts are found by parts of them. Both extensions come with PostgreSQL, and whoever may create tables in the database may create them.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- How texts are compared: without letter case and accents.
create function search_text(text) returns text immutable strict parallel safe language sql as $$
  select translate(lower($1), 'áéíóúüñàèìòùâêîôûäëïöãõçÁÉÍÓÚÜÑ', 'aeiouunaeiouaeiouaeioaocaeiouun')
$$;

-- The merchant is part of the index, so that others' rows cost nothing. Merchant and condition are expressions that no other index has: where
-- the server is wrong about the size of a table, another one would seem as good, and all rows be read. What waits to be entered into the
-- index stays little, so that neither a search nor the write that enters it takes long.
create index customers_search on customers using gin (lower(merchant_id), search_text(name || ' ' || coalesce(last_name, '') || E'\n' || email
  || E'\n' || translate(coalesce(phone_number, ''), '+-() ', '') || E'\n' || coalesce(external_id, '')) gin_trgm_ops)
  with (gin_pending_list_limit = 256) where coalesce(status = 'active', false);
create function search_customers(merchant varchar, one text, two text, three text, max_rows integer) returns setof varchar
  stable rows 100 language sql set enable_seqscan = off set enable_indexscan = off set jit = off as $$
  select id from customers where lower(merchant_id) = merchant and coalesce(status = 'active', false)
    and search_text(name || ' ' || coalesce(last_name, '') || E'\n' || email || E'\n' || translate(coalesce(phone_number, ''), '+-() ', '')
      || E'\n' || coalesce(external_id, '')) like one
    and search_text(name || ' ' || coalesce(last_name, '') || E'\n' || email || E'\n' || translate(coalesce(phone_number, ''), '+-() ', '')
      || E'\n' || coalesce(external_id, '')) like two
    and search_text(name || ' ' || coalesce(last_name, '') || E'\n' || email || E'\n' || translate(coalesce(phone_number, ''), '+-() ', '')
      || E'\n' || coalesce(external_id, '')) like three
  limit max_rows
$$;

create index plans_search on plans using gin (lower(merchant_id), search_text(name) gin_trgm_ops)
  with (gin_pending_list_limit = 256) where coalesce(status = 'active', false);
create function search_plans(merchant varchar, one text, two text, three text, max_rows integer) returns setof varchar
  stable rows 100 language sql set enable_seqscan = off set enable_indexscan = off set jit = off as $$
  select id from plans where lower(merchant_id) = merchant and coalesce(status = 'active', false)
    and search_text(name) like one and search_text(name) like two and search_text(name) like three
  limit max_rows
$$;

-- Only of charges that have an order_id, which those of subscriptions do not, and only once they are settled.
create index transactions_search on transactions using gin (lower(merchant_id), search_text(coalesce(order_id, '')) gin_trgm_ops)
  with (gin_pending_list_limit = 256) where coalesce(order_id is not null and transaction_type = 'charge' and progress = 'settled', false);
create function search_charges(merchant varchar, one text, two text, three text, max_rows integer) returns setof varchar
  stable rows 100 language sql set enable_seqscan = off set enable_indexscan = off set jit = off as $$
  select id from transactions where lower(merchant_id) = merchant
    and coalesce(order_id is not null and transaction_type = 'charge' and progress = 'settled', false)
    and search_text(coalesce(order_id, '')) like one and search_text(coalesce(order_id, '')) like two and search_text(coalesce(order_id, '')) like three
  limit max_rows
$$;

create index transactions_by_authorization on transactions (merchant_id, "authorization", creation_date desc)
  where "authorization" is not null and transaction_type = 'charge';
create index transactions_by_last_four on transactions (merchant_id, right(card ->> 'card_number', 4), creation_date desc)
  where card is not null and transaction_type = 'charge' and progress = 'settled';
