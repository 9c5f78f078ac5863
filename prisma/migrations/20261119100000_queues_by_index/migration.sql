-- A queue is empty at one moment and long at the next, and what the server last counted says nothing of it. While it counts none, all plans
-- look equally cheap to it, and it may read a whole queue for the first few rows. So the order of the index is the only way that it has here.

-- From one webhook to the next, however long their queues are.
create function queued_webhooks() returns setof varchar stable rows 100 language sql set enable_sort = off as $$
  with recursive queued as (
    (select webhook_id from delivery_queue order by webhook_id limit 1)
    union all
    select (select q.webhook_id from delivery_queue q where q.webhook_id > queued.webhook_id order by q.webhook_id limit 1)
    from queued where queued.webhook_id is not null
  )
  select webhook_id from queued where webhook_id is not null;
$$;

-- The next first attempts, and the next later ones, without those that the caller holds already.
create function queued_deliveries(webhook varchar, from_sequence bigint, held bigint[], max_rows integer, max_retries integer)
  returns setof delivery_queue stable rows 10 language sql set enable_sort = off as $$
  (select * from delivery_queue
    where webhook_id = webhook and attempts = 0 and sequence >= from_sequence and sequence not in (select unnest(held))
    order by sequence limit max_rows)
  union all
  (select * from delivery_queue
    where webhook_id = webhook and attempts > 0 and sequence not in (select unnest(held))
    order by sequence limit max_retries);
$$;

-- The webhook of a delivery is looked up after the delivery: in a join the server might begin with the webhook and read all deliveries to it.
create or replace function environment_of(kind varchar, object varchar) returns "Environment" stable language sql as $$
  select coalesce((select environment from merchants where id = case
    when kind in ('subscription', 'nudge') then (select merchant_id from subscriptions where id = object)
    when kind = 'delivery' then (select merchant_id from webhooks where id = (select webhook_id from deliveries where id = object))
    when kind = 'webhook_mail' then (select merchant_id from webhooks where id = object)
    when kind = 'customer' then (select merchant_id from customers where id = object)
    else (select merchant_id from transactions where id = object)
  end), 'sandbox')
$$;
