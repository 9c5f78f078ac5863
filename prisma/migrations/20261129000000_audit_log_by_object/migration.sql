-- What was done to one object, for the story of it: without this the whole log of its merchant would be read.
create index audit_log_by_object on audit_log (object_id, id desc);
