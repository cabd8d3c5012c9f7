-- A change of a card's AP2 keys is seen on the card, so that a settle may judge by the keys that its process remembers and
-- be sure, when it has the card before it, that they are still those.
set local lock_timeout = '5s';

alter table cards add column keys_version integer not null default 0;

create function count_key_change() returns trigger language plpgsql as $$
begin
  update cards set keys_version = keys_version + 1 where id in (select card_id from changed);
  return null;
end $$;
create trigger keys_added after insert on ap2_card_keys
  referencing new table as changed for each statement execute function count_key_change();
create trigger keys_changed after update on ap2_card_keys
  referencing new table as changed for each statement execute function count_key_change();
