-- oldest: 043
-- The program that signed in, as it names itself. Sessions of before have none.
alter table sessions add column device text;
alter table sessions add constraint a_device_is_short check (char_length(device) <= 200) not valid;
