-- Two roles: `purser_owner` migrates (`npx purser migrate`), `purser` serves with PURSER_MIGRATE=never and may only read and
-- write rows. Run it once, as a superuser, in the database of the service and before its first migration. Then set passwords.

create role purser_owner login;
-- The tables of the job queue have row security without a policy: they are their owner's, or of a role that it does not bind.
create role purser login bypassrls;

alter schema public owner to purser_owner;
grant usage on schema public to purser;
-- Temporary tables, for verification.
do $$ begin
  execute format('grant create on database %I to purser_owner', current_database());
  execute format('grant temporary on database %I to purser', current_database());
  -- Verification compares the triggers with those of a scratch schema, which it rolls back. The grant does not let the role
  -- change a table. Without it `purser verify` says that it could not compare.
  execute format('grant create on database %I to purser', current_database());
end $$;

-- For the tables that migrations make from now on. The job queue has a schema of its own.
alter default privileges for role purser_owner grant select, insert, update, delete on tables to purser;
alter default privileges for role purser_owner grant usage, select on sequences to purser;
alter default privileges for role purser_owner grant usage on schemas to purser;
