-- oldest: 043
-- How many connections to the database the machine may open; null for a version that does not say.
alter table machines add column connections integer;
