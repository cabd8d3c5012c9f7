-- The tables of the job queue have row security without a policy, so nobody but their owner sees a row. A superuser could free the role
-- that serves from it (roles.sql); here it gets a policy. Run it as `purser_owner`, after each `purser migrate`.

do $$ declare tab regclass; begin
  for tab in select c.oid from pg_class c
      where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity
        and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'purser_serves') loop
    execute format('create policy purser_serves on %s to purser using (true) with check (true)', tab);
  end loop;
end $$;
