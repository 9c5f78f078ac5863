-- Customers are found by their e-mail address and by the beginning of their name, in any letter case.
create index customers_by_email on customers (merchant_id, lower(email)) where status = 'active';
create index customers_by_name on customers (merchant_id, lower(name) text_pattern_ops) where status = 'active';
