-- Metadata of customers, plans and subscriptions, and the IVA included in what plans and subscriptions charge. The
-- columns are new, so that every row satisfies the constraints: they are not validated, which would read the tables.
alter table customers add metadata jsonb;
alter table customers add constraint customers_metadata_check
  check (jsonb_typeof(metadata) = 'object' and not jsonb_path_exists(metadata, '$.* ? (@.type() != "string")')) not valid;

alter table plans add metadata jsonb, add iva varchar(100);
alter table plans add constraint plans_metadata_check
  check (jsonb_typeof(metadata) = 'object' and not jsonb_path_exists(metadata, '$.* ? (@.type() != "string")')) not valid;
alter table plans add constraint plans_iva_check check (iva <> '') not valid;

-- The IVA of a subscription replaces that of its plan.
alter table subscriptions add metadata jsonb, add iva varchar(100);
alter table subscriptions add constraint subscriptions_metadata_check
  check (jsonb_typeof(metadata) = 'object' and not jsonb_path_exists(metadata, '$.* ? (@.type() != "string")')) not valid;
alter table subscriptions add constraint subscriptions_iva_check check (iva <> '') not valid;

-- Lists by metadata. The merchant is part of the index, so that rows of other merchants are not read. Rows without
-- metadata are not in it, so that they cost nothing.
create index customers_by_metadata on customers using gin (merchant_id, metadata jsonb_path_ops)
  with (gin_pending_list_limit = 256) where metadata is not null;
create index plans_by_metadata on plans using gin (merchant_id, metadata jsonb_path_ops)
  with (gin_pending_list_limit = 256) where metadata is not null;
create index subscriptions_by_metadata on subscriptions using gin (merchant_id, metadata jsonb_path_ops)
  with (gin_pending_list_limit = 256) where metadata is not null;
