-- oldest: 043
-- A key makes child cards only with a scope of its own, which keys of before do not have.
alter table api_keys drop constraint known_scopes;
alter table api_keys add constraint known_scopes check (cardinality(scopes) > 0 and scopes <@ array[
    'cards:read', 'cards:write', 'payments:read', 'payments:write', 'paylinks:read', 'paylinks:write', 'treasury:read', 'treasury:write',
    'keys:read', 'keys:write', 'facilitator:read', 'facilitator:write', 'controls:read', 'controls:write', 'approvals:read',
    'approvals:write', 'webhooks:read', 'webhooks:write', 'billing:read', 'billing:write', 'membership:read', 'membership:write',
    'fees:read', 'fees:write', 'market:read', 'market:write', 'events:read', 'operator:read', 'children:write']) not valid;

-- The cards above whose rules a grant waives too: those that the key which gave it may use. Null: all of them.
alter table card_approvals add column waives text[];
