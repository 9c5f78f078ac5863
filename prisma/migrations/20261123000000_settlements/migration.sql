-- A report of the acquirer: what it pays, and takes back, for a day. It comes in parts, and is matched once all of them are there.
create table settlement_reports (
  id varchar(45) primary key,
  environment "Environment" not null,
  -- What the acquirer calls it.
  reference varchar(60) not null,
  day varchar(10) not null,
  parts integer not null check (parts > 0),
  count integer not null check (count >= 0),
  total bigint not null,
  status varchar(10) not null default 'receiving' check (status in ('receiving', 'matching', 'matched', 'differs', 'refused')),
  -- Why it was refused.
  reason varchar(250),
  -- By the acquirer's word: in the sandbox by a test clock.
  creation_date timestamptz(3) not null,
  received_at timestamptz(3) not null default current_timestamp,
  ended_at timestamptz(3),
  matched integer not null default 0,
  differing integer not null default 0,
  check ((status = 'refused') = (reason is not null)),
  check ((status in ('matched', 'differs', 'refused')) = (ended_at is not null))
);
create unique index settlement_reports_environment_reference_key on settlement_reports (environment, reference);
create index settlement_reports_creation_date_idx on settlement_reports (creation_date desc, id desc);
create index settlement_reports_status_idx on settlement_reports (status, creation_date desc, id desc);

-- Which parts have come. The same part may come again, but not with another content.
create table settlement_parts (
  report_id varchar(45) not null references settlement_reports (id) on delete cascade on update cascade,
  part integer not null check (part > 0),
  hash bytea not null,
  primary key (report_id, part)
);

create table settlement_items (
  report_id varchar(45) not null references settlement_reports (id) on delete cascade on update cascade,
  line integer not null check (line > 0),
  -- As the acquirer says: there may be no such merchant, nor such a transaction.
  merchant_id varchar(45) not null,
  type varchar(10) not null check (type in ('charge', 'refund', 'chargeback', 'payout')),
  key varchar(80) not null,
  amount bigint not null check (amount <> 0),
  date timestamptz(3) not null,
  transaction_id varchar(45) not null,
  -- The movement of the books that it pays.
  movement varchar(80) not null,
  result varchar(15) check (result in ('matched', 'unknown', 'other_merchant', 'not_in_books', 'wrong_amount', 'repeated')),
  -- What the books say instead; what the movement cost the merchant.
  expected bigint,
  cost bigint not null default 0,
  cost_tax bigint not null default 0,
  primary key (report_id, line)
);
-- A movement is settled once, whatever reports say and whoever matches them.
create unique index settlement_items_matched_once on settlement_items (movement) where result = 'matched';
create index settlement_items_unmatched on settlement_items (report_id, line) where result is null;
create index settlement_items_differing on settlement_items (report_id, line) where result <> 'matched';
create index settlement_items_merchant on settlement_items (report_id, merchant_id, line);

-- What a merchant sees of a report.
create table settlements (
  id varchar(45) primary key,
  report_id varchar(45) not null references settlement_reports (id) on delete restrict on update cascade,
  merchant_id varchar(45) not null references merchants (id) on delete restrict on update cascade,
  day varchar(10) not null,
  creation_date timestamptz(3) not null,
  status varchar(10) not null check (status in ('matched', 'differs')),
  count integer not null,
  differences integer not null,
  charges bigint not null,
  refunds bigint not null,
  chargebacks bigint not null,
  payouts bigint not null,
  cost bigint not null,
  cost_tax bigint not null,
  check ((status = 'differs') = (differences > 0))
);
create unique index settlements_report_id_merchant_id_key on settlements (report_id, merchant_id);
create index settlements_list on settlements (merchant_id, creation_date desc, id desc);
create index settlements_list_by_day on settlements (merchant_id, day);

-- A report is of an environment, and of no merchant.
create or replace function set_outbox_environment() returns trigger language plpgsql as $$
begin
  new.environment := case new.kind
    when 'merchant' then (select environment from merchants where id = new.object_id)
    when 'settlement' then coalesce((select environment from settlement_reports where id = new.object_id), 'sandbox')
    else environment_of(new.kind, new.object_id)
  end;
  return new;
end $$;
