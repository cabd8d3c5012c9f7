-- The first part of the months takes all settlements that there are. A bound that is promised and checked before spares 055 a look
-- at each of them while payments wait.
-- contract: a program that does not know 051 asks a unique index of settlements, which they do not have by month
-- oldest: 052

-- The least id of a settlement of this time.
create function first_settlement_id(at timestamptz) returns text language sql immutable parallel safe as $$
  select 'stl_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (5 * n)) & 31)::integer + 1, 1), '' order by n desc)
    from (select floor(extract(epoch from at) * 1000)::bigint as ms) t, generate_series(0, 9) n
$$;
do $$
declare
  months integer := case when exists (select from settlements) then 3 else 0 end;
begin
  execute format('alter table settlements add constraint settlements_before_months check (id < %L) not valid',
    first_settlement_id((date_trunc('month', now() at time zone 'UTC') + make_interval(months => months)) at time zone 'UTC'));
end $$;
