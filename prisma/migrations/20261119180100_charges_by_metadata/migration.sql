-- Lists of charges by metadata. On its own, so that no other table is locked while it is built.
create index transactions_by_metadata on transactions using gin (merchant_id, metadata jsonb_path_ops)
  with (gin_pending_list_limit = 256) where metadata is not null;
