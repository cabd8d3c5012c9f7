-- oldest: 043
alter table api_keys validate constraint known_scopes;
