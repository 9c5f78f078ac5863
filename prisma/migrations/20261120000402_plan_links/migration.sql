-- Links with which any payer subscribes to a plan: the terms of the subscription, and the consent of the payer.
alter table payment_links
  add coupon varchar(50),
  add accepts_coupons boolean not null default false,
  add quantity integer check (quantity > 0),
  add consent_text varchar(1000),
  add consent_date timestamptz(3);
