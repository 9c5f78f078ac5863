-- A merchant's statement reads what moved on its accounts in the order of time. Only of these accounts, so that most entries are not
-- written once more. Writing to the books waits while it is made.
create index entries_statement_idx on entries (account, creation_date, movement)
  where account like 'merchant %' or account like 'costs %' or account like 'tax %';
