-- A batch reads without locks, decides, and locks only to write: what it read must still stand then. Where it does not,
-- the transaction is run again, as after any serialization failure.
set local lock_timeout = '5s';

create function refuse_stale(is_stale boolean) returns void language plpgsql as $$
begin
  if is_stale then
    raise exception 'what was decided on has changed' using errcode = 'serialization_failure';
  end if;
end $$;
