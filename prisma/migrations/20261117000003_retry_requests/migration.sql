-- A repeated request to retry finds the line that it wrote the first time.
alter table subscription_lines add column request varchar(45);
