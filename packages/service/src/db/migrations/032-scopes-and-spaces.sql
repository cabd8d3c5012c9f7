-- Scopes for what loosens a card and for parts of the API to come; and Idempotency-Keys of restricted keys, which stand
-- behind the hash of their key and a tab.
set local lock_timeout = '5s';

alter table api_keys drop constraint known_scopes,
  add constraint known_scopes check (cardinality(scopes) > 0 and scopes <@ array[
    'cards:read', 'cards:write', 'payments:read', 'payments:write', 'paylinks:read', 'paylinks:write',
    'treasury:read', 'treasury:write', 'keys:read', 'keys:write', 'facilitator:read', 'facilitator:write',
    'controls:read', 'controls:write', 'approvals:read', 'approvals:write', 'webhooks:read', 'webhooks:write',
    'billing:read', 'billing:write', 'membership:read', 'membership:write', 'fees:read', 'fees:write',
    'market:read', 'market:write', 'events:read']);

alter table idempotency_keys drop constraint idempotency_keys_key_check,
  add constraint length_of_a_key check (length(key) between 1 and 320);
