-- Counts the unpaid payments of a link with limited payments by the network of the payers.
alter table payment_links add column network_hash bytea;
create index payment_links_networks on payment_links (parent_id, network_hash) where network_hash is not null;
