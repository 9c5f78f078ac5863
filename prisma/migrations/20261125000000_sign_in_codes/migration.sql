-- What a link signs in with, once: a session is made with the key that it names, and the row is deleted.
create table sign_in_codes (
  hash bytea primary key,
  merchant_id varchar(45) not null,
  key_id varchar(45) not null,
  expires_at timestamptz(3) not null,
  constraint sign_in_codes_merchant_id_fkey foreign key (merchant_id) references merchants (id) on update cascade on delete restrict
);
create index sign_in_codes_expires_at_idx on sign_in_codes (expires_at);
