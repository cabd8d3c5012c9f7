-- Two roles in a database whose administrator is no superuser, as that of a managed PostgreSQL: `purser_owner` migrates and restores,
-- `purser` serves with PURSER_MIGRATE=never, runs commands and makes backups. Run it once, as the administrator, in the database of the
-- service and before its first migration. Then set passwords. docs/operate/managed-postgres.md says what follows.

create role purser_owner login;
create role purser login;

do $$ begin
  -- To make a schema for a role, and to say what others may do with its tables, one has to be a member of it.
  execute format('grant purser_owner to %I', current_user);
  -- The job queue has a schema of its own, and verification compares with a scratch schema that it rolls back.
  execute format('grant create, temporary on database %I to purser_owner, purser', current_database());
end $$;

create schema purser authorization purser_owner;
grant usage on schema purser to purser_owner, purser;

-- For the tables that migrations make from now on.
alter default privileges for role purser_owner grant select, insert, update, delete on tables to purser;
alter default privileges for role purser_owner grant usage, select on sequences to purser;
alter default privileges for role purser_owner grant usage on schemas to purser;
