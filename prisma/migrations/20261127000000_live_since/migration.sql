-- contracts: 0.1.0 has no live streams
-- The oldest open transaction may be older than what was written and read before: the whole snapshot tells them apart.
-- What is asked of a connection is asked anew when its process ends, so that nothing is carried over.
delete from live_operations;
alter table live_operations drop column start_xact;
alter table live_operations add column since text not null;
