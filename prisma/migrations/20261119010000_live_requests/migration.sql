-- A merchant of the sandbox asks to go live. Approved, it has a merchant of production, whose keys it collects once.
create table live_requests (
  id varchar(45) primary key,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  status varchar(10) not null check (status in ('draft', 'submitted', 'returned', 'approved', 'refused')),
  -- Whoever knows the key of its page may see and complete it.
  page_key varchar(45) not null,
  page_origin varchar(255) not null,
  -- What is known of the business; of its bank account the end only, which is whole in the sealed column.
  business jsonb,
  account_sealed bytea,
  reason varchar(1000),
  creation_date timestamptz(3) not null default current_timestamp,
  submitted_at timestamptz(3),
  decided_at timestamptz(3),
  production_merchant_id varchar(45) references merchants (id) on delete set null on update cascade,
  keys_collected_at timestamptz(3),
  check (status = 'draft' or (business is not null and account_sealed is not null)),
  check ((status = 'approved') = (production_merchant_id is not null)),
  check (keys_collected_at is null or status = 'approved')
);
create unique index live_requests_page_key_key on live_requests (page_key);
create unique index live_requests_production_merchant_id_key on live_requests (production_merchant_id);
create index live_requests_merchant_id_idx on live_requests (merchant_id, creation_date desc, id desc);
create index live_requests_status_idx on live_requests (status, creation_date desc, id desc);
-- One at a time: only a refused merchant may ask again.
create unique index live_requests_one_per_merchant on live_requests (merchant_id) where status <> 'refused';
