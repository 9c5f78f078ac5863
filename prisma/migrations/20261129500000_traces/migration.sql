create table traces (
  object_id varchar(45) primary key,
  traceparent varchar(60) not null,
  creation_date timestamptz(3) not null default current_timestamp
);
create index traces_creation_date_idx on traces (creation_date);
