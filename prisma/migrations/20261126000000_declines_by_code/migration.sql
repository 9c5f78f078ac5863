-- Lists of what was declined, by its code. Only what was declined is in the index, so a charge that is paid does not pay for it.
create index transactions_list_by_error on transactions (merchant_id, error_code, creation_date desc, id desc) where error_code is not null;
