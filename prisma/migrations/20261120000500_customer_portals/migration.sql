-- The card forms of a customer's portal. The links to it are signed and stored nowhere.
create table customer_portals (
  customer_id varchar(45) primary key references customers (id) on delete cascade on update cascade,
  attempts integer not null default 0,
  attempt_date timestamptz(3),
  lease_until timestamptz(3),
  declines integer not null default 0,
  error_code integer
);
