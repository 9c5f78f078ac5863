-- Whether a number that was sent in a text is that of a card of the merchant.
create index cards_merchant_fingerprint on cards (merchant_id, fingerprint) where fingerprint is not null;
