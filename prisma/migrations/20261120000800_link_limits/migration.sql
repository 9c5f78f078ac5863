-- Choosing the card again reads the earlier payments of a link.
create index transactions_link_cards on transactions (payment_link_id)
  where payment_link_id is not null and method = 'card';
-- Lists of links, without the uses of each.
create index payment_links_list on payment_links (merchant_id, creation_date desc, id desc) where parent_id is null;
