-- Charges and refunds by Bre-B.
alter table transactions
  drop constraint transactions_method_check,
  add constraint transactions_method_check
    check (method in ('card', 'store', 'bank_account', 'bre_b', 'customer')) not valid;
alter table transactions validate constraint transactions_method_check;
