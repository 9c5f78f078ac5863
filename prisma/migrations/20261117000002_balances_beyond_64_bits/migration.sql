-- contracts: nothing that the previous release needs, which reads and writes the wider type as it did the narrower.
-- Single amounts fit into 64 bits of centavos, what an account adds up to may not. balance_of stays for processes of the
-- previous release.
alter table balances alter column balance type numeric;

create function account_balance(name varchar) returns numeric stable language sql as $$
  select coalesce((select balance from balances where account = name), 0)
    + coalesce((select sum(amount) from entries where account = name
        and xact >= coalesce((select horizon from balances where account = name), '0'::xid8)), 0)
$$;
