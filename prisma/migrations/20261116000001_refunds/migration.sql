-- Costs and what a refund returns of them are computed in one place, which is not the database.
drop function share_of;
