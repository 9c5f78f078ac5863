-- Named by the hash of its content. What earlier e-mails show stays for a while after a merchant has taken another.
create table logos (
  name varchar(40) primary key,
  content bytea not null,
  creation_date timestamptz(3) not null default current_timestamp
);

alter table merchants
  add column website varchar(255),
  add column support_email varchar(100),
  add column support_phone varchar(100),
  add column colour varchar(7),
  add column logo varchar(40) references logos (name) on delete restrict on update cascade;
