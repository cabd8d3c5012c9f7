-- oldest: 043
-- Secrets of the service that a rotation has replaced, each known by a mark: derived from it, it reveals nothing of it.

create table replaced_secrets (
  mark        text primary key check (mark ~ '^[0-9a-f]{64}$'),
  replaced_at timestamptz not null,
  -- Keys derived from it that hold money, sealed by the secret in use: their addresses receive for ever.
  kept        bytea not null,
  -- Since when nothing is sealed by it any more, so that no machine needs to list it.
  retired_at  timestamptz
);
create trigger no_delete before delete or truncate on replaced_secrets for each statement execute function refuse_change();

-- The marks of the secrets that a machine lists, first the one that seals; null for a version that knows one secret only.
alter table machines add column secrets text[];
