-- contracts: 0.1.0 was the last release that takes type and bank of every card for known
-- What only the acquirer knows of a card, and may not say.
alter table cards
  alter column type drop not null,
  alter column bank_name drop not null,
  alter column bank_code drop not null,
  add column country varchar(2);
alter table tokens
  alter column type drop not null,
  alter column bank_name drop not null,
  alter column bank_code drop not null,
  add column country varchar(2);

-- In how many payments the cardholder pays a charge back to the bank.
alter table transactions add column installments integer;
