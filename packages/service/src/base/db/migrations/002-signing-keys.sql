-- The keys by which the service signs, for AP2 and others.

create table service_signing_keys (
  kid        text primary key,   -- RFC 7638 thumbprint
  jwk        jsonb not null,     -- the public half
  sealed     bytea not null,     -- the private half, under a key derived from the service's secret
  created_at timestamptz not null,
  retired_at timestamptz,        -- signs no more; its earlier signatures stay good
  revoked_at timestamptz,        -- none of its signatures is accepted any more
  constraint a_revoked_key_is_retired check (revoked_at is null or retired_at is not null)
);
create unique index one_key_signs on service_signing_keys ((true)) where retired_at is null;
create trigger no_delete before delete or truncate on service_signing_keys
  for each statement execute function refuse_change();

-- The keys by which the service signs its requests to sellers that ask for it (Web Bot Auth). Ed25519.
create table request_signing_keys (
  kid        text primary key,   -- RFC 7638 thumbprint
  jwk        jsonb not null,     -- the public half
  sealed     bytea not null,     -- the private half, under a key derived from the service's secret
  created_at timestamptz not null,
  retired_at timestamptz,        -- signs no more; it stays in the directory for a day
  revoked_at timestamptz,        -- left the directory at once
  constraint a_revoked_key_is_retired check (revoked_at is null or retired_at is not null)
);
create unique index one_key_signs_requests on request_signing_keys ((true)) where retired_at is null;
create trigger no_delete before delete or truncate on request_signing_keys
  for each statement execute function refuse_change();
