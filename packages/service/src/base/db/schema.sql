-- The schema that the migrations make, for reading. Made by `npm run schema`: do not edit it, change the migrations.
-- The job queue has a schema of its own, made by graphile-worker, which is left out.

create table agent_card_tokens (
  challenge_id   text not null,
  card_id        text not null,
  hold_id        text not null,
  transaction_id text not null,
  settlement_id  text not null,
  recipient      text not null,
  amount         numeric(78,0) not null,
  fee            numeric(78,0) not null,
  network        text not null,
  asset          text not null,
  state          text default 'held'::text not null,
  expires_at     timestamptz not null,
  created_at     timestamptz not null,
  ended_at       timestamptz,
  constraint one_token_per_challenge primary key (challenge_id),
  constraint agent_card_tokens_hold_id_key unique (hold_id),
  constraint agent_card_tokens_settlement_id_key unique (settlement_id),
  constraint agent_card_tokens_transaction_id_key unique (transaction_id),
  constraint agent_card_tokens_card_id_fkey foreign key (card_id) references cards(id),
  constraint agent_card_tokens_hold_id_fkey foreign key (hold_id) references ledger_holds(id),
  constraint agent_card_tokens_transaction_id_fkey foreign key (transaction_id) references card_transaction_rows(id),
  constraint agent_card_tokens_amount_check check (amount > 0::numeric),
  constraint agent_card_tokens_check check (fee <= amount),
  constraint agent_card_tokens_check1 check ((state = 'held'::text) = (ended_at is null)),
  constraint agent_card_tokens_fee_check check (fee >= 0::numeric),
  constraint agent_card_tokens_settlement_id_check check (settlement_id ~~ 'stl\_%'::text),
  constraint agent_card_tokens_state_check check (state = any (array['held'::text, 'redeemed'::text, 'released'::text]))
) with (fillfactor=80);
create index agent_card_tokens_held on agent_card_tokens (expires_at) where state = 'held'::text;
create trigger keep_agent_card_token before update on agent_card_tokens for each row execute function keep_agent_card_token();
create trigger no_delete before delete or truncate on agent_card_tokens for each statement execute function refuse_change();

create table agent_nonces (
  scope      text not null,
  key_id     text not null,
  nonce      text not null,
  expires_at timestamptz not null,
  constraint agent_nonces_pkey primary key (scope, key_id, nonce)
);
create index agent_nonces_by_end on agent_nonces (expires_at);

create table agreement_charges (
  id            text not null,
  agreement_id  text not null,
  period_no     integer not null,
  amount        numeric(78,0) not null,
  status        text not null,
  attempts      integer default 1 not null,
  error         text,
  settlement_id text,
  pull_ref      text,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  constraint agreement_charges_pkey primary key (id),
  constraint one_charge_per_period unique (agreement_id, period_no),
  constraint one_charge_per_pull unique (pull_ref),
  constraint one_charge_per_settlement unique (settlement_id),
  constraint agreement_charges_agreement_id_fkey foreign key (agreement_id) references agreements(id),
  constraint agreement_charges_amount_check check (amount > 0::numeric),
  constraint agreement_charges_attempts_check check (attempts > 0),
  constraint agreement_charges_check check ((status = 'FAILED'::text) = (error is not null)),
  constraint agreement_charges_check1 check (status <> 'SUCCEEDED'::text or settlement_id is not null),
  constraint agreement_charges_id_check check (id ~~ 'chg\_%'::text),
  constraint agreement_charges_period_no_check check (period_no > 0),
  constraint agreement_charges_status_check check (status = any (array['PENDING'::text, 'SUCCEEDED'::text, 'FAILED'::text]))
) with (fillfactor=80);
create index agreement_charges_newest on agreement_charges (agreement_id, id desc);
create trigger keep_charge before update on agreement_charges for each row execute function keep_charge();
create trigger no_delete before delete or truncate on agreement_charges for each statement execute function refuse_change();
create constraint trigger paid_by_a_settlement after insert or update of settlement_id on agreement_charges deferrable initially deferred for each row when (new.settlement_id is not null) execute function refuse_unknown_settlement();

create table agreement_keys (
  payer_wallet text not null,
  place        integer not null,
  kid          text not null,
  card_id      text not null,
  sealed       bytea not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  constraint twenty_keys_a_wallet primary key (payer_wallet, place),
  constraint agreement_keys_kid_key unique (kid),
  constraint agreement_keys_card_id_fkey foreign key (card_id) references cards(id),
  constraint agreement_keys_place_check check (place >= 1 and place <= 20)
);

create table agreements (
  id                   text not null,
  purpose              text not null,
  payer_wallet         text not null,
  payer_card_id        text,
  merchant_wallet      text not null,
  pay_link_code        text,
  plan_ref             text,
  description          text,
  amount               numeric(78,0) not null,
  network              text not null,
  asset                text not null,
  trigger_type         text not null,
  period_days          integer,
  period_months        integer,
  threshold_metric     text,
  threshold_floor      numeric(78,0),
  is_armed             boolean default false not null,
  funding_source       text not null,
  funding_spender      text,
  status               text not null,
  status_reason        text,
  paused_by            text,
  cancel_at_period_end boolean default false not null,
  cancelled_by         text,
  ends_at              timestamptz,
  anchor               timestamptz,
  first_month          integer,
  next_charge_at       timestamptz,
  next_attempt_at      timestamptz,
  first_failed_at      timestamptz,
  last_charge_at       timestamptz,
  charges_made         integer default 0 not null,
  total_charged        numeric(78,0) default 0 not null,
  failure_count        integer default 0 not null,
  open_id              text,
  sealed_mandate       bytea,
  kid                  text,
  sealed_key           bytea,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  constraint agreements_pkey primary key (id),
  constraint one_agreement_per_key unique (kid),
  constraint one_agreement_per_open_mandate unique (open_id),
  constraint agreements_open_id_fkey foreign key (open_id) references ap2_open_mandates(open_id) deferrable initially deferred,
  constraint agreements_pay_link_code_fkey foreign key (pay_link_code) references pay_links(code),
  constraint agreements_payer_card_id_fkey foreign key (payer_card_id) references cards(id),
  constraint a_failure_is_counted check (first_failed_at is null or failure_count > 0),
  constraint agreements_amount_check check (amount > 0::numeric),
  constraint agreements_cancelled_by_check check (cancelled_by = any (array['payer'::text, 'merchant'::text])),
  constraint agreements_charges_made_check check (charges_made >= 0),
  constraint agreements_check check (cancel_at_period_end = (ends_at is not null)),
  constraint agreements_check1 check (ends_at is null or cancelled_by is not null),
  constraint agreements_check2 check ((status = 'PAUSED'::text) = (paused_by is not null)),
  constraint agreements_check3 check ((charges_made = 0) = (last_charge_at is null) and (charges_made = 0) = (total_charged = 0::numeric)),
  constraint agreements_check4 check ((status <> all (array['CANCELLED'::text, 'COMPLETED'::text])) or next_charge_at is null and next_attempt_at is null and status_reason is not null),
  constraint agreements_description_check check (length(description) <= 500),
  constraint agreements_failure_count_check check (failure_count >= 0),
  constraint agreements_first_month_check check (first_month >= 0),
  constraint agreements_funding_source_check check (funding_source = any (array['CARD'::text, 'WALLET'::text])),
  constraint agreements_id_check check (id ~~ 'agr\_%'::text),
  constraint agreements_paused_by_check check (paused_by = any (array['payer'::text, 'merchant'::text])),
  constraint agreements_period_days_check check (period_days >= 1 and period_days <= 366),
  constraint agreements_period_months_check check (period_months >= 1 and period_months <= 12),
  constraint agreements_plan_ref_check check (length(plan_ref) <= 255),
  constraint agreements_purpose_check check (purpose = any (array['billing'::text, 'membership'::text])),
  constraint agreements_status_check check (status = any (array['ACTIVE'::text, 'PAST_DUE'::text, 'PAUSED'::text, 'CANCELLED'::text, 'COMPLETED'::text])),
  constraint agreements_threshold_floor_check check (threshold_floor > 0::numeric),
  constraint agreements_threshold_metric_check check (threshold_metric = 'svc_fee_balance'::text),
  constraint agreements_total_charged_check check (total_charged >= 0::numeric),
  constraint agreements_trigger_type_check check (trigger_type = any (array['interval'::text, 'threshold'::text])),
  constraint funded_by_mandate check (purpose <> 'billing'::text or num_nonnulls(payer_card_id, open_id, sealed_mandate, kid, sealed_key) = 5 and funding_source = 'CARD'::text),
  constraint one_cadence check (
case trigger_type
    when 'interval'::text then num_nonnulls(period_days, period_months) = 1 and threshold_metric is null and threshold_floor is null
    else num_nonnulls(period_days, period_months) = 0 and threshold_metric is not null and threshold_floor is not null
end),
  constraint one_count_of_periods check ((purpose = 'billing'::text) = (anchor is not null) and (purpose = 'membership'::text) = (first_month is not null)),
  constraint past_due_since_a_failure check (
case status
    when 'PAST_DUE'::text then first_failed_at is not null
    when 'PAUSED'::text then true
    else first_failed_at is null
end),
  constraint two_parties check (payer_wallet <> merchant_wallet)
) with (fillfactor=70);
create index agreements_by_link on agreements (pay_link_code) where pay_link_code is not null;
create index agreements_by_merchant on agreements (merchant_wallet, id desc);
create index agreements_by_payer on agreements (payer_wallet, id desc);
create index agreements_by_payer_card on agreements (payer_card_id) where payer_card_id is not null;
create index agreements_due on agreements (purpose, next_attempt_at) where next_attempt_at is not null;
create index agreements_live on agreements (purpose, status) where status = any (array['ACTIVE'::text, 'PAST_DUE'::text, 'PAUSED'::text]);
create unique index one_live_membership_agreement on agreements (payer_wallet) where purpose = 'membership'::text and (status = any (array['ACTIVE'::text, 'PAST_DUE'::text, 'PAUSED'::text]));
create unique index one_live_threshold_agreement on agreements (payer_wallet) where trigger_type = 'threshold'::text and (status = any (array['ACTIVE'::text, 'PAST_DUE'::text, 'PAUSED'::text]));
create trigger keep_agreement before update on agreements for each row execute function keep_agreement();
create trigger keep_agreement_on_sale before update of status, paused_by, cancelled_by on agreements for each row when (new.cancelled_by is distinct from old.cancelled_by and new.cancelled_by = 'merchant'::text or new.paused_by is distinct from old.paused_by and new.paused_by = 'merchant'::text or old.paused_by = 'merchant'::text and (new.status = any (array['ACTIVE'::text, 'PAST_DUE'::text]))) execute function keep_agreement_on_sale();
create trigger names_a_person before insert on agreements for each row when (is_system_address(new.payer_wallet)) execute function refuse_system_address();
create trigger no_delete before delete or truncate on agreements for each statement execute function refuse_change();
create trigger parties_have_cards after insert on agreements for each row execute function parties_have_cards();

create table alarms (
  id                text not null,
  kind              text not null,
  subject           text not null,
  sentence          text not null,
  details           jsonb not null,
  first_seen        timestamptz not null,
  last_seen         timestamptz not null,
  acknowledged_at   timestamptz,
  acknowledged_note text,
  resolved_at       timestamptz,
  constraint alarms_pkey primary key (id),
  constraint alarms_check check (last_seen >= first_seen),
  constraint alarms_check1 check ((acknowledged_at is null) = (acknowledged_note is null)),
  constraint alarms_check2 check (resolved_at is null or resolved_at >= first_seen),
  constraint alarms_id_check check (id ~~ 'alm\_%'::text)
);
create index alarms_by_age on alarms (first_seen desc, id);
create unique index one_open_alarm on alarms (kind, subject) where resolved_at is null;
create trigger keep_alarm before update on alarms for each row execute function keep_alarm();
create trigger no_delete before delete or truncate on alarms for each statement execute function refuse_change();

create table ap2_card_keys (
  card_id      text not null,
  kid          text not null,
  role         text not null,
  jwk          jsonb not null,
  label        text default ''::text not null,
  sealed       bytea,
  is_custodial boolean generated always as ((sealed is not null)) stored,
  owner_no     integer not null,
  created_at   timestamptz not null,
  revoked_at   timestamptz,
  constraint one_role_per_key primary key (card_id, kid),
  constraint ap2_card_keys_card_id_fkey foreign key (card_id) references cards(id),
  constraint ap2_card_keys_role_check check (role = any (array['user'::text, 'agent'::text]))
);
create trigger keep_card_key before update on ap2_card_keys for each row execute function keep_card_key();
create trigger keys_added after insert on ap2_card_keys referencing new table as changed for each statement execute function count_key_change();
create trigger keys_changed after update on ap2_card_keys referencing new table as changed for each statement execute function count_key_change();
create trigger no_delete before delete or truncate on ap2_card_keys for each statement execute function refuse_change();
create trigger note_seal after insert or update of card_id, kid, role, jwk, revoked_at on ap2_card_keys for each row execute function note_seal('card_id,kid', 'card_id', 'kid', 'role', 'jwk', 'revoked_at');

create table ap2_open_mandate_cards (
  open_id    text not null,
  card_id    text not null,
  token      text storage external not null,
  owner_no   integer not null,
  created_at timestamptz not null,
  constraint noted_once_per_card primary key (card_id, open_id),
  constraint ap2_open_mandate_cards_card_id_fkey foreign key (card_id) references cards(id),
  constraint noted_of_a_grant foreign key (open_id) references ap2_open_mandates(open_id)
);
create trigger insert_only before delete or update or truncate on ap2_open_mandate_cards for each statement execute function refuse_change();

create table ap2_open_mandates (
  open_id     text not null,
  card_id     text not null,
  jti         text,
  issued_here boolean not null,
  agent_kid   text not null,
  currency    text not null,
  budget_max  bigint,
  max_uses    integer,
  spent       bigint default 0 not null,
  uses        integer default 0 not null,
  first_at    timestamptz,
  last_at     timestamptz,
  expires_at  timestamptz,
  revoked_at  timestamptz,
  token       text storage external,
  owner_no    integer not null,
  created_at  timestamptz not null,
  constraint one_row_per_grant primary key (open_id),
  constraint ap2_open_mandates_card_id_fkey foreign key (card_id) references cards(id),
  constraint ap2_open_mandates_check check ((uses = 0) = (first_at is null) and (uses = 0) = (last_at is null) and (uses > 0) = (spent > 0)),
  constraint ap2_open_mandates_spent_check check (spent >= 0),
  constraint ap2_open_mandates_uses_check check (uses >= 0),
  constraint within_budget check (budget_max is null or spent <= budget_max),
  constraint within_occurrences check (max_uses is null or uses <= max_uses)
) with (fillfactor=70);
create index ap2_open_mandates_by_card on ap2_open_mandates (card_id, created_at, open_id);
create trigger keep_open_mandate before update on ap2_open_mandates for each row execute function keep_open_mandate();
create trigger no_delete before delete or truncate on ap2_open_mandates for each statement execute function refuse_change();
create trigger uses_begin_at_zero before insert on ap2_open_mandates for each row when (new.uses <> 0 or new.spent <> 0) execute function refuse_change();
create trigger uses_by_mandates_only after update on ap2_open_mandates for each row when (pg_trigger_depth() = 0 and (old.spent is distinct from new.spent or old.uses is distinct from new.uses or old.first_at is distinct from new.first_at or old.last_at is distinct from new.last_at)) execute function refuse_change();

create table ap2_receipts (
  settlement_id text not null,
  receipt       text not null,
  created_at    timestamptz not null,
  constraint ap2_receipts_pkey primary key (settlement_id)
);
create trigger insert_only before delete or update or truncate on ap2_receipts for each statement execute function refuse_change();
create constraint trigger names_a_settlement after insert or update of settlement_id on ap2_receipts not deferrable initially immediate for each row when (new.settlement_id is not null) execute function names_a_settlement();

create table ap2_received_receipts (
  wallet_address text not null,
  mandate_id     text not null,
  receipt_hash   bytea not null,
  receipt        text storage external not null,
  status         text not null,
  reference      text not null,
  signature      text not null,
  created_at     timestamptz not null,
  constraint each_receipt_once primary key (wallet_address, mandate_id, receipt_hash),
  constraint ap2_received_receipts_signature_check check (signature = any (array['verified'::text, 'unverified'::text]))
);
create trigger insert_only before delete or update or truncate on ap2_received_receipts for each statement execute function refuse_change();

create table ap2_signed_mandates (
  card_id         text not null,
  mandate_id      text not null,
  reference       text not null,
  mandate_sd_hash text not null,
  owner_no        integer not null,
  created_at      timestamptz not null,
  constraint ap2_signed_mandates_pkey primary key (card_id, mandate_id),
  constraint ap2_signed_mandates_card_id_fkey foreign key (card_id) references cards(id)
);
create trigger insert_only before delete or update or truncate on ap2_signed_mandates for each statement execute function refuse_change();

create table api_keys (
  hash           bytea not null,
  seq            bigint generated always as identity not null,
  hint           text not null,
  wallet_address text not null,
  place          smallint,
  made_by        text,
  name           text,
  scopes         text[],
  card_ids       text[],
  max_amount     numeric(78,0),
  created_at     timestamptz not null,
  expires_at     timestamptz,
  revoked_at     timestamptz,
  last_used_at   timestamptz,
  constraint api_keys_pkey primary key (hash),
  constraint api_keys_by_wallet unique (wallet_address, seq),
  constraint a_revoked_key_has_no_place check (revoked_at is null or place is null),
  constraint api_keys_card_ids_check check (cardinality(card_ids) > 0),
  constraint api_keys_check check (expires_at >= created_at),
  constraint api_keys_check1 check (scopes is not null or card_ids is null and max_amount is null and expires_at is null),
  constraint api_keys_hash_check check (length(hash) = 32),
  constraint api_keys_hint_check check (hint ~ '^purser_(live|test)_…[A-Za-z0-9_-]{4}$'::text),
  constraint api_keys_made_by_check check (made_by ~ '^([0-9a-f]{64}|lgn_[0-9a-z]{26})$'::text),
  constraint api_keys_max_amount_check check (max_amount > 0::numeric),
  constraint api_keys_name_check check (length(name) >= 1 and length(name) <= 100),
  constraint api_keys_wallet_address_check check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'::text),
  constraint fifty_keys_at_most check (place >= 1 and place <= 50),
  constraint known_scopes check (cardinality(scopes) > 0 and scopes <@ array['cards:read'::text, 'cards:write'::text, 'payments:read'::text, 'payments:write'::text, 'paylinks:read'::text, 'paylinks:write'::text, 'treasury:read'::text, 'treasury:write'::text, 'keys:read'::text, 'keys:write'::text, 'facilitator:read'::text, 'facilitator:write'::text, 'controls:read'::text, 'controls:write'::text, 'approvals:read'::text, 'approvals:write'::text, 'webhooks:read'::text, 'webhooks:write'::text, 'billing:read'::text, 'billing:write'::text, 'membership:read'::text, 'membership:write'::text, 'fees:read'::text, 'fees:write'::text, 'market:read'::text, 'market:write'::text, 'events:read'::text, 'operator:read'::text, 'children:write'::text])
) with (fillfactor=80);
create index api_keys_by_maker on api_keys (made_by) where made_by is not null;
create unique index one_key_per_place on api_keys (wallet_address, place) where place is not null;
create trigger api_key_changed before update on api_keys for each row execute function api_key_changed();
create trigger names_a_person before insert on api_keys for each row when (is_system_address(new.wallet_address)) execute function refuse_system_address();
create trigger new_key_has_place before insert on api_keys for each row when (new.place is null) execute function new_key_has_place();
create trigger no_delete before delete or truncate on api_keys for each statement execute function refuse_change();
create trigger note_seal after insert or update of hash, wallet_address, scopes, card_ids, max_amount, revoked_at on api_keys for each row execute function note_seal('hash', 'hash', 'wallet_address', 'scopes', 'card_ids', 'max_amount', 'revoked_at');

create table archived_batches (
  first bigint not null,
  last  bigint not null,
  month text not null,
  constraint archived_batches_pkey primary key (first),
  constraint archived_batches_month_fkey foreign key (month) references archived_months(month),
  constraint archived_batches_check check (last >= first)
);
create trigger insert_only before delete or update or truncate on archived_batches for each statement execute function refuse_change();

create table archived_months (
  month       text not null,
  manifest    text not null,
  settlements bigint not null,
  batches     bigint not null,
  shape       bytea not null,
  digest      bytea not null,
  archived_at timestamptz not null,
  constraint archived_months_pkey primary key (month),
  constraint archived_months_batches_check check (batches > 0),
  constraint archived_months_digest_check check (length(digest) = 32),
  constraint archived_months_month_check check (month ~ '^\d{4}-\d{2}$'::text),
  constraint archived_months_settlements_check check (settlements > 0),
  constraint archived_months_shape_check check (length(shape) = 32)
);
create trigger insert_only before delete or update or truncate on archived_months for each statement execute function refuse_change();
create trigger note_seal after insert on archived_months for each row execute function note_seal('month', 'month', 'manifest', 'settlements', 'batches', 'shape', 'digest', 'archived_at');

create table archived_pages (
  month   text not null,
  tally   text not null,
  page    integer not null,
  content text not null,
  constraint archived_pages_pkey primary key (month, tally, page),
  constraint archived_pages_month_fkey foreign key (month) references archived_months(month)
);
create trigger insert_only before delete or update or truncate on archived_pages for each statement execute function refuse_change();

create table audit_acts (
  id         text not null,
  act        text not null,
  way        text not null,
  actor      text not null,
  key_hash   text,
  subject    text not null,
  note       text,
  request_id text,
  created_at timestamptz not null,
  constraint audit_acts_pkey primary key (id),
  constraint a_key_acts_by_its_name check ((way = 'key'::text) = (key_hash is not null)),
  constraint audit_acts_act_check check (act ~ '^[a-z_]+\.[a-z_]+$'::text),
  constraint audit_acts_actor_check check (length(actor) >= 1 and length(actor) <= 200),
  constraint audit_acts_id_check check (id ~~ 'act\_%'::text),
  constraint audit_acts_key_hash_check check (key_hash ~ '^[0-9a-f]{64}$'::text),
  constraint audit_acts_note_check check (length(note) <= 500),
  constraint audit_acts_request_id_check check (length(request_id) <= 64),
  constraint audit_acts_subject_check check (length(subject) <= 200),
  constraint audit_acts_way_check check (way = any (array['session'::text, 'key'::text, 'command'::text]))
);
create trigger insert_only before delete or update or truncate on audit_acts for each statement execute function refuse_change();
create trigger note_seal after insert on audit_acts for each row execute function note_seal('id', 'id', 'act', 'way', 'actor', 'key_hash', 'subject', 'note', 'request_id', 'created_at');

create table auth_challenges (
  nonce          text not null,
  wallet_address text not null,
  place          smallint,
  message        text not null,
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  used_at        timestamptz,
  constraint auth_challenges_pkey primary key (nonce),
  constraint auth_challenges_check check (expires_at > created_at),
  constraint auth_challenges_check1 check (used_at < expires_at),
  constraint auth_challenges_nonce_check check (nonce ~ '^[0-9a-f]{32}$'::text),
  constraint auth_challenges_wallet_address_check check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'::text),
  constraint twenty_challenges_at_most check (place >= 1 and place <= 20)
);
create index auth_challenges_by_expiry on auth_challenges (expires_at);
create unique index one_challenge_per_place on auth_challenges (wallet_address, place) where place is not null;
create trigger names_a_person before insert on auth_challenges for each row when (is_system_address(new.wallet_address)) execute function refuse_system_address();

create table authorization_claims (
  network text not null,
  token   text not null,
  payer   text not null,
  nonce   text not null,
  kind    text not null,
  ref     text not null,
  constraint one_claim_per_signed_transfer primary key (network, payer, nonce, token),
  constraint authorization_claims_kind_check check (kind = any (array['link'::text, 'direct'::text, 'facilitator'::text]))
);
create trigger facts_stay before update or truncate on authorization_claims for each statement execute function refuse_change();

create table card_approvals (
  id             text not null,
  card_id        text not null,
  wallet_address text not null,
  owner_no       integer not null,
  kind           text not null,
  reason         text not null,
  rail           text not null,
  amount         numeric(78,0) not null,
  merchants      text[] not null,
  mcc            text,
  request        text not null,
  decision_id    text,
  status         text not null,
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  decided_at     timestamptz,
  used_at        timestamptz,
  used_by        text,
  waives         text[],
  constraint card_approvals_pkey primary key (id),
  constraint card_approvals_decision_id_key unique (decision_id),
  constraint card_approvals_used_by_key unique (used_by),
  constraint a_decline_is_allowed_once check ((decision_id is null) = (kind = 'asked'::text)),
  constraint card_approvals_amount_check check (amount > 0::numeric),
  constraint card_approvals_id_check check (id ~~ 'apr\_%'::text),
  constraint card_approvals_kind_check check (kind = any (array['asked'::text, 'allowed_once'::text])),
  constraint card_approvals_rail_check check (is_rail(rail)),
  constraint card_approvals_status_check check (status = any (array['PENDING'::text, 'APPROVED'::text, 'DENIED'::text, 'USED'::text, 'EXPIRED'::text])),
  constraint decided_by_somebody check ((status = any (array['PENDING'::text, 'EXPIRED'::text])) or decided_at is not null),
  constraint used_in_time check ((used_at is null) = (status <> 'USED'::text) and (used_at is null) = (used_by is null) and (used_at is null or used_at < expires_at))
);
create index card_approvals_by_card on card_approvals (card_id, expires_at) where status = any (array['PENDING'::text, 'APPROVED'::text, 'DENIED'::text]);
create index card_approvals_by_wallet on card_approvals (wallet_address, id desc);
create index card_approvals_open on card_approvals (expires_at) where status = any (array['PENDING'::text, 'APPROVED'::text]);
create trigger known_cards after insert on card_approvals referencing new table as added for each statement execute function refuse_unknown_cards();
create trigger no_delete before delete or truncate on card_approvals for each statement execute function refuse_change();
create trigger requests_are_bounded after insert on card_approvals for each row when (new.status = 'PENDING'::text) execute function bound_requests();
create trigger the_payment_stays before update on card_approvals for each row when (old.id is distinct from new.id or old.card_id is distinct from new.card_id or old.wallet_address is distinct from new.wallet_address or old.owner_no is distinct from new.owner_no or old.kind is distinct from new.kind or old.rail is distinct from new.rail or old.amount is distinct from new.amount or old.merchants is distinct from new.merchants or old.request is distinct from new.request or old.created_at is distinct from new.created_at or not
        case old.status
            when 'PENDING'::text then new.status = any (array['APPROVED'::text, 'DENIED'::text, 'EXPIRED'::text])
            when 'APPROVED'::text then new.status = any (array['USED'::text, 'DENIED'::text, 'EXPIRED'::text])
            else false
        end) execute function refuse_change();

create table card_decision_rows (
  id         text not null,
  card_id    text not null,
  allowed    boolean not null,
  rule       text not null,
  amount     numeric(78,0) not null,
  merchant   text not null,
  merchants  text[] not null,
  request    text not null,
  mcc        text,
  rail       text not null,
  inputs     jsonb not null,
  ref        text not null,
  owner_no   integer not null,
  created_at timestamptz not null,
  draft_id   text,
  draft_says text,
  constraint card_decision_rows_pkey primary key (card_id, id),
  constraint a_verdict_is_of_a_draft check ((draft_id is null) = (draft_says is null)),
  constraint card_decision_rows_id_check check (id ~~ 'dec\_%'::text)
);
create index card_declines on card_decision_rows (id) where not allowed;
create trigger insert_only before delete or update or truncate on card_decision_rows for each statement execute function refuse_change();
create trigger known_cards after insert on card_decision_rows referencing new table as added for each statement execute function refuse_unknown_cards();

create table card_handovers (
  card_id     text not null,
  owner_no    integer not null,
  from_wallet text not null,
  to_wallet   text not null,
  spent       numeric(78,0) not null,
  listing_id  text,
  batch       bigint default nextval('ledger_batch_ids'::regclass) not null,
  created_at  timestamptz not null,
  constraint one_owner_after_another primary key (card_id, owner_no),
  constraint card_handovers_listing_id_key unique (listing_id),
  constraint card_handovers_card_id_fkey foreign key (card_id) references cards(id),
  constraint card_handovers_check check (to_wallet <> from_wallet),
  constraint card_handovers_owner_no_check check (owner_no > 0),
  constraint card_handovers_spent_check check (spent >= 0::numeric)
);
create index card_handovers_by_buyer on card_handovers (to_wallet, card_id);
create index card_handovers_by_seller on card_handovers (from_wallet, card_id);
create trigger insert_only before delete or update or truncate on card_handovers for each statement execute function refuse_change();

create table card_payees (
  card_id    text not null,
  owner_no   integer not null,
  payee      text not null,
  created_at timestamptz not null,
  constraint card_payees_pkey primary key (card_id, owner_no, payee)
);
create trigger insert_only before delete or update or truncate on card_payees for each statement execute function refuse_change();
create trigger known_cards after insert on card_payees referencing new table as added for each statement execute function refuse_unknown_cards();

create table card_payers (
  card_id  text not null,
  payer    text not null,
  payments bigint not null,
  revenue  numeric(78,0) not null,
  constraint card_payers_pkey primary key (card_id, payer),
  constraint card_payers_payments_check check (payments >= 0),
  constraint card_payers_revenue_check check (revenue >= 0::numeric)
) with (fillfactor=80);

create table card_refunds (
  ref        text not null,
  amount     numeric(78,0) not null,
  refunded   numeric(78,0) not null,
  created_at timestamptz not null,
  constraint one_refund_from_each_standing primary key (ref, refunded),
  constraint card_refunds_amount_check check (amount > 0::numeric),
  constraint card_refunds_check check (refunded >= amount)
);
create trigger add_refund_entries after insert on card_refunds for each row execute function add_refund_entries();
create trigger insert_only before delete or update or truncate on card_refunds for each statement execute function refuse_change();

create table card_stats (
  card_id       text not null,
  network       text not null,
  listing_id    text,
  rx_lifetime   numeric(78,0) default 0 not null,
  rx_count      bigint default 0 not null,
  by_card       bigint default 0 not null,
  by_ap2        bigint default 0 not null,
  by_mpp        bigint default 0 not null,
  by_x402       bigint default 0 not null,
  by_onchain    bigint default 0 not null,
  first_active  timestamptz,
  last_active   timestamptz,
  payers        bigint default 0 not null,
  repeat_payers bigint default 0 not null,
  largest       numeric(78,0) default 0 not null,
  refunded      numeric(78,0) default 0 not null,
  self_payments bigint default 0 not null,
  self_amount   numeric(78,0) default 0 not null,
  exceptions    bigint default 0 not null,
  other_assets  bigint default 0 not null,
  constraint card_stats_pkey primary key (card_id),
  constraint card_stats_card_id_fkey foreign key (card_id) references cards(id),
  constraint active_once_paid check ((rx_count > 0) = (first_active is not null) and (first_active is null) = (last_active is null)),
  constraint card_stats_by_ap2_check check (by_ap2 >= 0),
  constraint card_stats_by_card_check check (by_card >= 0),
  constraint card_stats_by_mpp_check check (by_mpp >= 0),
  constraint card_stats_by_onchain_check check (by_onchain >= 0),
  constraint card_stats_by_x402_check check (by_x402 >= 0),
  constraint card_stats_check check (repeat_payers >= 0 and repeat_payers <= payers),
  constraint card_stats_exceptions_check check (exceptions >= 0),
  constraint card_stats_largest_check check (largest >= 0::numeric),
  constraint card_stats_other_assets_check check (other_assets >= 0),
  constraint card_stats_payers_check check (payers >= 0),
  constraint card_stats_refunded_check check (refunded >= 0::numeric),
  constraint card_stats_rx_lifetime_check check (rx_lifetime >= 0::numeric),
  constraint card_stats_self_amount_check check (self_amount >= 0::numeric),
  constraint card_stats_self_payments_check check (self_payments >= 0),
  constraint each_payment_has_a_protocol check (rx_count = (by_card + by_ap2 + by_mpp + by_x402 + by_onchain))
) with (fillfactor=70);
create index card_stats_by_revenue on card_stats (network, rx_lifetime desc, listing_id desc) where listing_id is not null;

create table card_stats_days (
  card_id         text not null,
  day             date not null,
  payments        bigint not null,
  revenue         numeric(78,0) not null,
  payments_before bigint not null,
  revenue_before  numeric(78,0) not null,
  constraint card_stats_days_pkey primary key (card_id, day),
  constraint card_stats_days_payments_before_check check (payments_before >= 0),
  constraint card_stats_days_payments_check check (payments >= 0),
  constraint card_stats_days_revenue_before_check check (revenue_before >= 0::numeric),
  constraint card_stats_days_revenue_check check (revenue >= 0::numeric)
) with (fillfactor=80);

create table card_token_payments (
  id              text not null,
  challenge_id    text not null,
  wallet_address  text not null,
  card_id         text not null,
  idempotency_key text,
  request_digest  bytea not null,
  method          text not null,
  url             text not null,
  offer           json not null,
  fee             numeric(78,0) not null,
  header_name     text not null,
  header_value    text not null,
  presentations   integer default 1 not null,
  response_status integer,
  receipt         json,
  problem         json,
  served          json,
  created_at      timestamptz not null,
  constraint card_token_payments_pkey primary key (id),
  constraint card_token_payments_challenge_id_key unique (challenge_id),
  constraint one_card_token_payment_per_key unique (wallet_address, idempotency_key),
  constraint card_token_payments_card_id_fkey foreign key (card_id) references cards(id),
  constraint card_token_payments_challenge_id_fkey foreign key (challenge_id) references agent_card_tokens(challenge_id),
  constraint card_token_payments_id_fkey foreign key (id) references card_transaction_rows(id),
  constraint card_token_payments_fee_check check (fee >= 0::numeric),
  constraint card_token_payments_presentations_check check (presentations > 0),
  constraint card_token_payments_request_digest_check check (length(request_digest) = 32)
);
create index card_token_payments_by_card on card_token_payments (card_id, created_at);

create table card_transaction_rows (
  id             text not null,
  card_id        text not null,
  wallet_address text not null,
  direction      text not null,
  amount         numeric(78,0) not null,
  fee            numeric(78,0) not null,
  merchant       text not null,
  protocol       text not null,
  status         text not null,
  network        text not null,
  asset          text not null,
  token          text,
  token_decimals integer,
  tx_hash        text,
  refunded       numeric(78,0) default 0 not null,
  ref            text not null,
  memo           text default ''::text not null,
  created_at     timestamptz not null,
  settled_at     timestamptz,
  failure        text,
  failed_at      timestamptz,
  constraint card_transaction_rows_pkey primary key (id),
  constraint card_transaction_rows_amount_check check (amount > 0::numeric or amount = 0::numeric and fee > 0::numeric and direction = 'received'::text),
  constraint card_transaction_rows_check check ((failure is null) = (failed_at is null) and (failure is null or status = 'FAILED'::text)),
  constraint card_transaction_rows_direction_check check (direction = any (array['sent'::text, 'received'::text])),
  constraint card_transaction_rows_fee_check check (fee >= 0::numeric),
  constraint card_transaction_rows_id_check check (id ~~ 'txn\_%'::text),
  constraint card_transaction_rows_protocol_check check (is_rail(protocol)),
  constraint card_transaction_rows_refunded_check check (refunded >= 0::numeric),
  constraint card_transaction_rows_status_check check (status = any (array['PENDING'::text, 'SETTLED'::text, 'FAILED'::text, 'REFUNDED'::text, 'UNKNOWN'::text])),
  constraint refund_within_amount check (refunded <= amount)
);
create index card_transactions_by_amount on card_transaction_rows (number_of_amount(wallet_address, amount), id);
create index card_transactions_by_card on card_transaction_rows (card_id, id desc);
create index card_transactions_by_hash on card_transaction_rows (tx_hash) where tx_hash is not null;
create index card_transactions_by_ref on card_transaction_rows (ref);
create index card_transactions_by_wallet on card_transaction_rows (wallet_address, id desc);
create index card_transactions_by_words on card_transaction_rows using gin (words_as_found(wallet_address, (merchant || ' '::text) || memo));
create index card_transactions_received on card_transaction_rows (card_id, ref) where direction = 'received'::text;
create trigger known_cards after insert on card_transaction_rows referencing new table as added for each statement execute function refuse_unknown_cards();
create trigger parents_stay before update of card_id, wallet_address on card_transaction_rows for each row when (old.card_id is distinct from new.card_id or old.wallet_address is distinct from new.wallet_address) execute function refuse_change();

create table cards (
  id                      text not null,
  wallet_address          text not null,
  account_id              bigint not null,
  network                 text not null,
  asset                   text not null,
  kind                    text not null,
  token_hash              bytea,
  token_hint              text not null,
  purpose                 text not null,
  status                  text not null,
  status_reason           text,
  single_use              boolean not null,
  mcc_locks               text default ''::text not null,
  allowed_merchants       text[] default '{}'::text[] not null,
  settlement_mode         text not null,
  metadata                jsonb default '{}'::jsonb not null,
  limit_amount            numeric(78,0) not null,
  spent                   numeric(78,0) default 0 not null,
  held                    numeric(78,0) default 0 not null,
  ancestors               text[] default '{}'::text[] not null,
  delegated               numeric(78,0) default 0 not null,
  received                numeric(78,0) default 0 not null,
  max_transaction         numeric(78,0),
  daily_limit             numeric(78,0),
  day                     text not null,
  day_used                numeric(78,0) default 0 not null,
  day_cap                 numeric(78,0),
  hourly_limit            numeric(78,0),
  hour                    text not null,
  hour_used               numeric(78,0) default 0 not null,
  hour_cap                numeric(78,0),
  weekly_limit            numeric(78,0),
  week                    text not null,
  week_used               numeric(78,0) default 0 not null,
  week_cap                numeric(78,0),
  monthly_limit           numeric(78,0),
  month                   text not null,
  month_used              numeric(78,0) default 0 not null,
  month_cap               numeric(78,0),
  rolling_limit           numeric(78,0),
  max_payments_per_minute integer,
  max_like_payments       integer,
  caps                    text[] default '{}'::text[] not null,
  approval_above          numeric(78,0),
  approval_first_merchant boolean default false not null,
  grants_until            timestamptz,
  draft                   jsonb,
  funding_tx              text,
  keys_version            integer default 0 not null,
  is_listed               boolean default false not null,
  owner_no                integer default 0 not null,
  refunded                numeric(78,0) default 0 not null,
  expires_at              timestamptz,
  created_at              timestamptz not null,
  counted_to              text,
  constraint cards_pkey primary key (id),
  constraint cards_account_id_key unique (account_id),
  constraint cards_token_hash_key unique (token_hash),
  constraint one_card_per_funding unique (network, funding_tx, wallet_address),
  constraint cards_account_id_fkey foreign key (account_id) references ledger_accounts(id),
  constraint a_child_is_custodial check (ancestors = '{}'::text[] or settlement_mode = 'CUSTODIAL'::text and kind = 'spending'::text and not is_listed),
  constraint a_direct_card_holds_nothing check (settlement_mode = 'CUSTODIAL'::text or spent = 0::numeric and held = 0::numeric and received = 0::numeric),
  constraint autopay_has_no_token check (
case kind
    when 'autopay'::text then token_hash is null and token_hint = ''::text and (status = any (array['ACTIVE'::text, 'CLOSED'::text])) and held = 0::numeric and received = 0::numeric and expires_at is null
    else token_hash is not null
end),
  constraint cards_ancestors_check check (cardinality(ancestors) <= 3),
  constraint cards_approval_above_check check (approval_above >= 0::numeric),
  constraint cards_daily_limit_check check (daily_limit > 0::numeric),
  constraint cards_day_check check (day ~~ '____-__-__'::text),
  constraint cards_day_used_check check (day_used >= 0::numeric),
  constraint cards_delegated_check check (delegated >= 0::numeric),
  constraint cards_draft_check check (starts_with(draft ->> 'id'::text, 'drf_'::text)),
  constraint cards_held_check check (held >= 0::numeric),
  constraint cards_hour_check check (hour ~~ '____-__-__T__'::text),
  constraint cards_hour_used_check check (hour_used >= 0::numeric),
  constraint cards_hourly_limit_check check (hourly_limit > 0::numeric),
  constraint cards_id_check check (id ~~ 'card\_%'::text),
  constraint cards_kind_check check (kind = any (array['spending'::text, 'autopay'::text])),
  constraint cards_limit_amount_check check (limit_amount > 0::numeric),
  constraint cards_max_like_payments_check check (max_like_payments > 0),
  constraint cards_max_payments_per_minute_check check (max_payments_per_minute > 0),
  constraint cards_max_transaction_check check (max_transaction > 0::numeric),
  constraint cards_mcc_locks_check check (mcc_locks ~ '^(\d{4}(,\d{4})*)?$'::text),
  constraint cards_month_check check (month ~~ '____-__'::text),
  constraint cards_month_used_check check (month_used >= 0::numeric),
  constraint cards_monthly_limit_check check (monthly_limit > 0::numeric),
  constraint cards_owner_no_check check (owner_no >= 0),
  constraint cards_received_check check (received >= 0::numeric),
  constraint cards_refunded_check check (refunded >= 0::numeric),
  constraint cards_rolling_limit_check check (rolling_limit > 0::numeric),
  constraint cards_settlement_mode_check check (settlement_mode = any (array['CUSTODIAL'::text, 'DIRECT'::text])),
  constraint cards_spent_check check (spent >= 0::numeric),
  constraint cards_status_check check (status = any (array['PENDING_FUNDING'::text, 'FUNDING_FAILED'::text, 'ACTIVE'::text, 'FROZEN'::text, 'USED'::text, 'EXPIRED'::text, 'CLOSED'::text])),
  constraint cards_token_hash_check check (length(token_hash) = 32),
  constraint cards_week_check check (week ~~ '____-W__'::text),
  constraint cards_week_used_check check (week_used >= 0::numeric),
  constraint cards_weekly_limit_check check (weekly_limit > 0::numeric),
  constraint within_day check (day_cap is null or day_used <= day_cap),
  constraint within_hour check (hour_cap is null or hour_used <= hour_cap),
  constraint within_limit check ((spent + held + delegated) <= limit_amount),
  constraint within_month check (month_cap is null or month_used <= month_cap),
  constraint within_week check (week_cap is null or week_used <= week_cap)
) with (fillfactor=70);
create index cards_below on cards using gin (ancestors) where ancestors <> '{}'::text[];
create index cards_by_wallet on cards (wallet_address, id desc);
create index cards_ended_listed on cards (id) where is_listed and (status = any (array['CLOSED'::text, 'EXPIRED'::text, 'USED'::text]));
create index cards_expiring on cards (expires_at) where status = any (array['ACTIVE'::text, 'FROZEN'::text]);
create index cards_pending on cards (created_at) where status = 'PENDING_FUNDING'::text;
create index cards_right_below on cards ((ancestors[cardinality(ancestors)])) where ancestors <> '{}'::text[] and status <> 'CLOSED'::text;
create trigger a_child_is_within_its_parent before insert on cards for each row when (new.ancestors <> '{}'::text[]) execute function refuse_strange_child();
create trigger changed_card_is_capped before update of wallet_address, rolling_limit, max_payments_per_minute on cards for each row when (new.settlement_mode = 'CUSTODIAL'::text and (new.wallet_address is distinct from old.wallet_address or new.rolling_limit is distinct from old.rolling_limit or new.max_payments_per_minute is distinct from old.max_payments_per_minute)) execute function card_is_capped();
create constraint trigger children_are_counted after update of spent, held, delegated on cards deferrable initially deferred for each row when (new.delegated <> old.delegated or new.ancestors <> '{}'::text[] and (new.spent + new.held) <> (old.spent + old.held)) execute function refuse_uncounted_children();
create constraint trigger children_end_with_their_parent after update of status, wallet_address on cards deferrable initially deferred for each row when (new.status = 'CLOSED'::text and old.status <> 'CLOSED'::text or new.wallet_address <> old.wallet_address) execute function refuse_uncounted_children();
create trigger count_on_caps after update of spent, held, delegated on cards for each row when (new.caps <> '{}'::text[] and (new.spent + new.held + new.delegated) > (old.spent + old.held + old.delegated)) execute function count_taken_on_caps();
create trigger ids_stay after update of id, kind, settlement_mode, ancestors on cards for each row when (old.id is distinct from new.id or old.kind is distinct from new.kind or old.settlement_mode is distinct from new.settlement_mode or old.ancestors is distinct from new.ancestors) execute function refuse_change();
create trigger names_a_person before insert on cards for each row when (is_system_address(new.wallet_address)) execute function refuse_system_address();
create trigger new_card_is_capped before insert on cards for each row when (new.kind = 'spending'::text and new.settlement_mode = 'CUSTODIAL'::text) execute function card_is_capped();
create trigger no_delete before delete or truncate on cards for each statement execute function refuse_change();
create trigger note_seal after insert or update of id, kind, wallet_address, account_id, network, asset, token_hash, single_use, mcc_locks, allowed_merchants, max_transaction, hourly_limit, daily_limit, weekly_limit, monthly_limit, rolling_limit, max_payments_per_minute, max_like_payments, caps, approval_above, approval_first_merchant on cards for each row execute function note_seal('id', 'id', 'kind', 'wallet_address', 'account_id', 'network', 'asset', 'token_hash', 'single_use', 'mcc_locks', 'allowed_merchants', 'max_transaction', 'hourly_limit', 'daily_limit', 'weekly_limit', 'monthly_limit', 'rolling_limit', 'max_payments_per_minute', 'max_like_payments', 'caps', 'approval_above', 'approval_first_merchant');
create trigger owners_are_counted before update of wallet_address on cards for each row when (new.wallet_address <> old.wallet_address and (new.owner_no <> (old.owner_no + 1) or new.keys_version <= old.keys_version or not new.token_hash is distinct from old.token_hash or new.kind <> 'spending'::text or new.held <> 0::numeric or new.ancestors <> '{}'::text[])) execute function refuse_change();
create trigger recount_handed_over after update of wallet_address on cards for each row when (new.wallet_address <> old.wallet_address and (old.caps <> '{}'::text[] or new.caps <> '{}'::text[])) execute function recount_handed_over();
create trigger stays_as_paid_for before update on cards for each row when (is_on_sale(old.status_reason) and is_on_sale(new.status_reason) and new.wallet_address = old.wallet_address and (new.limit_amount is distinct from old.limit_amount or new.refunded is distinct from old.refunded or new.mcc_locks is distinct from old.mcc_locks or new.allowed_merchants is distinct from old.allowed_merchants or new.max_transaction is distinct from old.max_transaction or new.daily_limit is distinct from old.daily_limit or new.hourly_limit is distinct from old.hourly_limit or new.weekly_limit is distinct from old.weekly_limit or new.monthly_limit is distinct from old.monthly_limit or new.rolling_limit is distinct from old.rolling_limit or new.max_payments_per_minute is distinct from old.max_payments_per_minute or new.max_like_payments is distinct from old.max_like_payments or new.approval_above is distinct from old.approval_above or new.approval_first_merchant is distinct from old.approval_first_merchant or new.single_use is distinct from old.single_use or new.token_hash is distinct from old.token_hash or new.status is distinct from old.status)) execute function refuse_change();

create table chain_attempts (
  hash       text not null,
  send_id    text not null,
  relayer    text not null,
  nonce      bigint not null,
  raw        bytea storage external not null,
  max_fee    numeric(78,0) not null,
  max_tip    numeric(78,0) not null,
  at_block   bigint not null,
  created_at timestamptz default now() not null,
  constraint chain_attempts_pkey primary key (hash),
  constraint chain_attempts_relayer_fkey foreign key (relayer) references chain_relayers(address),
  constraint chain_attempts_send_id_fkey foreign key (send_id) references chain_sends(id) on delete cascade,
  constraint chain_attempts_max_fee_check check (max_fee >= 0::numeric),
  constraint chain_attempts_max_tip_check check (max_tip >= 0::numeric)
);
create index chain_attempts_send on chain_attempts (send_id);

create table chain_identity (
  network  text not null,
  identity text not null,
  constraint chain_identity_pkey primary key (network)
);

create table chain_relayers (
  address     text not null,
  next_nonce  bigint default 0 not null,
  is_resting  boolean default false not null,
  balance_wei numeric(78,0),
  measured_at timestamptz,
  constraint chain_relayers_pkey primary key (address)
);

create table chain_sends (
  id           text not null,
  ref          text not null,
  to_address   text not null,
  data         bytea storage external not null,
  gas          bigint not null,
  only_relayer text,
  is_owners    boolean default false not null,
  state        text default 'queued'::text not null,
  batch_id     text,
  is_alone     boolean default false not null,
  relayer      text,
  nonce        bigint,
  raw          bytea storage external,
  hash         text,
  succeeded    boolean,
  block_number bigint,
  block_hash   text,
  passed_block bigint,
  is_safe      boolean default false not null,
  log_indexes  integer[],
  gas_used     bigint,
  created_at   timestamptz not null,
  constraint chain_sends_pkey primary key (id),
  constraint chain_sends_ref_key unique (ref),
  constraint chain_sends_relayer_nonce_key unique (relayer, nonce),
  constraint chain_sends_batch_id_fkey foreign key (batch_id) references chain_sends(id),
  constraint chain_sends_relayer_fkey foreign key (relayer) references chain_relayers(address),
  constraint a_batch_item_has_no_nonce check (batch_id is null or relayer is null and nonce is null and raw is null),
  constraint a_batch_item_is_not_alone check (batch_id is null or not is_alone),
  constraint a_batch_item_is_not_signed check (batch_id is null or state <> 'signed'::text),
  constraint bytes_once_signed check ((state = 'queued'::text) = (raw is null) or batch_id is not null),
  constraint chain_sends_id_check check (id ~~ 'snd\_%'::text),
  constraint chain_sends_state_check check (state = any (array['queued'::text, 'signed'::text, 'mined'::text])),
  constraint outcome_once_mined check ((state = 'mined'::text) = (succeeded is not null))
);
create index chain_sends_batch on chain_sends (batch_id) where batch_id is not null;
create index chain_sends_on_their_way on chain_sends (relayer) where state <> 'mined'::text and nonce is not null;
create index chain_sends_open on chain_sends (created_at) where state <> 'mined'::text or not is_safe;
create unique index one_send_per_hash on chain_sends (hash) where batch_id is null;

create table credential_lookups (
  key_hash text not null,
  day      date not null,
  count    integer not null,
  constraint one_count_a_day primary key (key_hash, day),
  constraint credential_lookups_count_check check (count > 0)
) with (fillfactor=70);
create index credential_lookups_by_day on credential_lookups (day);

create table credential_owners (
  wallet_address text not null,
  constraint credential_owners_pkey primary key (wallet_address)
);

create table crt_candles (
  pool_id      text not null,
  minute       timestamptz not null,
  open         numeric(78,0) not null,
  high         numeric(78,0) not null,
  low          numeric(78,0) not null,
  close        numeric(78,0) not null,
  token_volume numeric(78,0) not null,
  usdc_volume  numeric(78,0) not null,
  swaps        integer not null,
  tick         integer not null,
  since        timestamptz not null,
  cumulative   numeric(78,0) not null,
  constraint crt_candles_pkey primary key (pool_id, minute),
  constraint crt_candles_pool_id_fkey foreign key (pool_id) references crt_pools(pool_id),
  constraint crt_candles_swaps_check check (swaps > 0),
  constraint high_is_highest check (high >= greatest(open, close, low) and low <= least(open, close))
);

create table crt_markets (
  card_id         text not null,
  network         text not null,
  creator         text not null,
  state           text not null,
  symbol          text not null,
  name            text not null,
  supply          numeric(78,0) not null,
  keep_bps        integer not null,
  start_price     numeric(78,0) not null,
  vesting_seconds bigint not null,
  nonce           bigint,
  salt            text,
  token           text not null,
  pool_id         text not null,
  fee             integer not null,
  tick_spacing    integer not null,
  start_tick      integer not null,
  lower_tick      integer not null,
  upper_tick      integer not null,
  liquidity       numeric(78,0) not null,
  prepared_at     timestamptz not null,
  glances         text[] not null,
  deploy_tx       text,
  list_tx         text,
  list_block      bigint,
  position_id     numeric(78,0),
  listed_at       timestamptz,
  constraint crt_markets_pkey primary key (card_id),
  constraint crt_markets_card_id_fkey foreign key (card_id) references cards(id),
  constraint crt_markets_liquidity_check check (liquidity > 0::numeric),
  constraint crt_markets_nonce_check check (nonce >= 0),
  constraint crt_markets_salt_check check (salt ~ '^0x[0-9a-f]{64}$'::text),
  constraint crt_markets_state_check check (state = any (array['PREPARED'::text, 'LIVE'::text, 'VESTED'::text])),
  constraint crt_markets_vesting_seconds_check check (vesting_seconds > 0),
  constraint keep_in_range check (keep_bps >= 0 and keep_bps <= 9000),
  constraint listed_has_its_facts check ((state = 'PREPARED'::text) = (num_nulls(deploy_tx, list_tx, list_block, position_id, listed_at) = 5) and (num_nulls(deploy_tx, list_tx, list_block, position_id, listed_at) = any (array[0, 5]))),
  constraint one_origin check (num_nonnulls(nonce, salt) = 1),
  constraint supply_in_range check (supply >= 1::numeric and supply <= '1000000000000'::bigint::numeric)
);
create index crt_markets_by_glance on crt_markets using gin (glances) where state <> 'PREPARED'::text;
create index crt_markets_by_listing on crt_markets (network, listed_at desc, card_id desc) where state <> 'PREPARED'::text;
create unique index one_market_per_pool on crt_markets (pool_id) where state <> 'PREPARED'::text;
create unique index one_market_per_token on crt_markets (token) where state <> 'PREPARED'::text;
create trigger a_listed_market_stays before update on crt_markets for each row when (old.state <> 'PREPARED'::text and (new.state = 'PREPARED'::text or old.state = 'VESTED'::text and new.state <> 'VESTED'::text or (to_jsonb(new.*) - 'state'::text) is distinct from (to_jsonb(old.*) - 'state'::text))) execute function refuse_change();
create trigger no_delete before delete or truncate on crt_markets for each statement execute function refuse_change();

create table crt_pools (
  pool_id     text not null,
  card_id     text not null,
  version     bigint default 0 not null,
  first_tick  integer not null,
  first_at    timestamptz not null,
  block       bigint not null,
  followed_to timestamptz not null,
  sqrt_price  numeric(78,0) not null,
  tick        integer not null,
  since       timestamptz not null,
  cumulative  numeric(78,0) not null,
  quiet_looks integer default 0 not null,
  looked_at   timestamptz not null,
  hours_to    timestamptz not null,
  days_to     timestamptz not null,
  constraint crt_pools_pkey primary key (pool_id),
  constraint crt_pools_card_id_fkey foreign key (card_id) references crt_markets(card_id),
  constraint crt_pools_check check (days_to <= hours_to)
) with (fillfactor=70);
create trigger no_delete before delete or truncate on crt_pools for each statement execute function refuse_change();

create table database_clock (
  only_row    boolean default true not null,
  seen_at     timestamptz not null,
  set_at      timestamptz,
  set_seconds double precision,
  constraint database_clock_pkey primary key (only_row),
  constraint database_clock_only_row_check check (only_row)
);

create table database_trials (
  only_row boolean default true not null,
  tried_at timestamptz not null,
  constraint database_trials_pkey primary key (only_row),
  constraint database_trials_only_row_check check (only_row)
);

create table deposit_authorizations (
  id             text not null,
  wallet_address text not null,
  network        text not null,
  asset          text not null,
  nonce          text not null,
  amount         numeric(78,0) not null,
  valid_before   bigint not null,
  from_block     bigint not null,
  state          text default 'sending'::text not null,
  reason         text,
  created_at     timestamptz not null,
  constraint deposit_authorizations_pkey primary key (id),
  constraint one_deposit_per_authorization unique (network, asset, wallet_address, nonce),
  constraint deposit_authorizations_amount_check check (amount > 0::numeric),
  constraint deposit_authorizations_id_check check (id ~~ 'dep\_%'::text),
  constraint deposit_authorizations_state_check check (state = any (array['sending'::text, 'credited'::text, 'failed'::text]))
);
create index deposit_authorizations_sending on deposit_authorizations (created_at) where state = 'sending'::text;
create trigger names_a_person before insert on deposit_authorizations for each row when (is_system_address(new.wallet_address)) execute function refuse_system_address();

create table deposits (
  id             text not null,
  network        text not null,
  tx_hash        text not null,
  log_index      integer not null,
  wallet_address text not null,
  asset          text not null,
  amount         numeric(78,0) not null,
  block_number   bigint not null,
  block_hash     text not null,
  created_at     timestamptz not null,
  constraint deposits_pkey primary key (id),
  constraint one_credit_per_log unique (network, tx_hash, log_index),
  constraint deposits_amount_check check (amount > 0::numeric),
  constraint deposits_id_check check (id ~~ 'dep\_%'::text),
  constraint deposits_tx_hash_check check (tx_hash ~ '^0x[0-9a-f]{64}$'::text)
);
create index deposits_by_block on deposits (network, block_number);
create index deposits_by_wallet on deposits (wallet_address, created_at desc);
create trigger names_a_person before insert on deposits for each row when (is_system_address(new.wallet_address)) execute function refuse_system_address();
create trigger one_use_per_transfer before insert on deposits for each row execute function refuse_second_use();

create table dev_clock (
  only_row       boolean default true not null,
  offset_ms      bigint not null,
  jobs_offset_ms bigint default 0 not null,
  constraint dev_clock_pkey primary key (only_row),
  constraint dev_clock_check check (jobs_offset_ms >= 0 and jobs_offset_ms <= offset_ms),
  constraint dev_clock_offset_ms_check check (offset_ms >= 0),
  constraint dev_clock_only_row_check check (only_row)
);

create table direct_fees (
  id             text not null,
  settlement_id  text not null,
  wallet_address text not null,
  month          date not null,
  network        text not null,
  asset          text not null,
  amount         numeric(78,0) not null,
  state          text not null,
  created_at     timestamptz not null,
  paid_at        timestamptz,
  reversed_at    timestamptz,
  constraint direct_fees_pkey primary key (id),
  constraint direct_fees_wallet_address_month_fkey foreign key (wallet_address, month) references direct_usage(wallet_address, month),
  constraint direct_fees_amount_check check (amount >= 0::numeric),
  constraint direct_fees_id_check check (id ~~ 'fee\_%'::text),
  constraint direct_fees_state_check check (state = any (array['free'::text, 'paid'::text, 'owed'::text])),
  constraint free_costs_nothing check ((state = 'free'::text) = (amount = 0::numeric)),
  constraint paid_has_its_time check ((state = 'paid'::text) = (paid_at is not null))
);
create index direct_fees_by_wallet on direct_fees (wallet_address, id);
create index direct_fees_owed on direct_fees (wallet_address, id) where state = 'owed'::text and reversed_at is null;
create unique index one_fee_per_settlement on direct_fees (settlement_id) where reversed_at is null;
create trigger no_delete before delete or truncate on direct_fees for each statement execute function refuse_change();
create trigger paid_or_reversed_once before update on direct_fees for each row when (new.id is distinct from old.id or new.settlement_id is distinct from old.settlement_id or new.wallet_address is distinct from old.wallet_address or new.month is distinct from old.month or new.network is distinct from old.network or new.asset is distinct from old.asset or new.amount is distinct from old.amount or new.created_at is distinct from old.created_at or old.reversed_at is not null or new.state is distinct from old.state and not (old.state = 'owed'::text and new.state = 'paid'::text and new.reversed_at is null) or old.paid_at is not null and new.paid_at is distinct from old.paid_at) execute function refuse_change();

create table direct_settlements (
  id               text not null,
  pay_link_id      text not null,
  card_id          text not null,
  wallet_address   text not null,
  protocol         text not null,
  bound_by         text not null,
  payer            text not null,
  network          text not null,
  token            text not null,
  amount           numeric(78,0) not null,
  nonce            text,
  valid_before     numeric(78,0),
  signature_digest bytea,
  from_block       bigint not null,
  state            text default 'settling'::text not null,
  reason           text,
  tx_hash          text,
  log_index        integer,
  arrived          numeric(78,0),
  arrived_block    bigint,
  is_final         boolean default false not null,
  exception_id     text,
  transaction_id   text,
  metered_fee      numeric(78,0),
  created_at       timestamptz not null,
  settled_at       timestamptz,
  constraint direct_settlements_pkey primary key (id),
  constraint direct_settlements_exception_id_key unique (exception_id),
  constraint direct_settlements_transaction_id_key unique (transaction_id),
  constraint direct_settlements_exception_id_fkey foreign key (exception_id) references payment_exceptions(id),
  constraint direct_settlements_pay_link_id_fkey foreign key (pay_link_id) references pay_links(id),
  constraint a_failure_has_a_reason check ((state = any (array['failed'::text, 'missing'::text])) = (reason is not null)),
  constraint claimed_by_nonce check ((bound_by = any (array['eip3009'::text, 'permit2'::text])) = (nonce is not null) and (nonce is null) = (valid_before is null)),
  constraint direct_settlements_amount_check check (amount > 0::numeric),
  constraint direct_settlements_bound_by_check check (bound_by = any (array['eip3009'::text, 'permit2'::text, 'memo'::text, 'signature'::text])),
  constraint direct_settlements_from_block_check check (from_block >= 0),
  constraint direct_settlements_id_check check (id ~~ 'stl\_%'::text),
  constraint direct_settlements_protocol_check check (are_direct_rails(array[protocol])),
  constraint direct_settlements_signature_digest_check check (length(signature_digest) = 32),
  constraint direct_settlements_state_check check (state = any (array['settling'::text, 'settled'::text, 'failed'::text, 'missing'::text])),
  constraint final_is_settled check (not is_final or state = 'settled'::text),
  constraint metered_once_settled check (metered_fee is null or (state = any (array['settled'::text, 'missing'::text]))),
  constraint settled_by_a_log check ((state = any (array['settling'::text, 'failed'::text])) or tx_hash is not null and log_index is not null),
  constraint settled_in_time check ((state = any (array['settled'::text, 'missing'::text])) = (settled_at is not null))
) with (fillfactor=80);
create index direct_settlements_by_link on direct_settlements (pay_link_id, id desc);
create index direct_settlements_open on direct_settlements (created_at) where state = 'settling'::text or state = 'settled'::text and not is_final;
create index direct_settlements_settling_by_card on direct_settlements (card_id) where state = 'settling'::text;
create unique index one_direct_settlement_per_authorization on direct_settlements (network, token, payer, nonce) where nonce is not null;
create unique index one_direct_settlement_per_log on direct_settlements (network, tx_hash, log_index) where tx_hash is not null and state <> 'failed'::text;
create trigger direct_settlement_parties before insert on direct_settlements for each row execute function direct_settlement_parties();
create trigger keep_direct_settlement before update on direct_settlements for each row execute function keep_direct_settlement();
create trigger names_a_person before insert on direct_settlements for each row when (is_system_address(new.payer)) execute function refuse_system_address();
create trigger no_delete before delete or truncate on direct_settlements for each statement execute function refuse_change();
create trigger queue_direct_payment after update on direct_settlements for each row when (new.transaction_id is not null and (new.state = any (array['settled'::text, 'missing'::text])) and new.state <> old.state) execute function queue_direct_payment();

create table direct_usage (
  wallet_address text not null,
  month          date not null,
  used           integer not null,
  constraint direct_usage_pkey primary key (wallet_address, month),
  constraint direct_usage_wallet_address_fkey foreign key (wallet_address) references fee_meters(wallet_address),
  constraint direct_usage_month_check check (extract(day from month) = 1::numeric),
  constraint used_not_negative check (used >= 0)
) with (fillfactor=70);
create trigger no_delete before delete or truncate on direct_usage for each statement execute function refuse_change();

create table event_base (
  is_only boolean default true not null,
  base    bigint default 0 not null,
  constraint event_base_pkey primary key (is_only),
  constraint event_base_is_only_check check (is_only)
);
create trigger base_only_grows before update on event_base for each row when (new.base < old.base) execute function refuse_change();
create trigger no_delete before delete or truncate on event_base for each statement execute function refuse_change();

create table event_cursors (
  name text not null,
  xid  bigint not null,
  seq  bigint not null,
  constraint event_cursors_pkey primary key (name)
);

create table event_streams (
  wallet_address text not null,
  slot           smallint not null,
  id             text not null,
  until          timestamptz not null,
  constraint event_streams_pkey primary key (wallet_address, slot),
  constraint event_streams_id_key unique (id),
  constraint event_streams_slot_check check (slot >= 1 and slot <= 5)
);

create table events (
  xid            bigint not null,
  seq            bigint default nextval('event_numbers'::regclass) not null,
  id             text not null,
  type           text not null,
  wallet_address text not null,
  subject        text not null,
  card_id        text,
  data           json not null,
  created_at     timestamptz not null,
  constraint events_pkey primary key (xid, seq),
  constraint events_id_key unique (id),
  constraint events_id_check check (id ~~ 'evt\_%'::text)
);
create index events_by_wallet on events (wallet_address, xid, seq);
create trigger insert_only before update or truncate on events for each statement execute function refuse_change();

create table fee_meters (
  wallet_address text not null,
  is_low         boolean default false not null,
  constraint fee_meters_pkey primary key (wallet_address)
) with (fillfactor=70);
create trigger no_delete before delete or truncate on fee_meters for each statement execute function refuse_change();

create table fee_rules (
  seq           bigint generated always as identity not null,
  scope         text not null,
  subject       text not null,
  kind          text not null,
  bps           integer,
  flat          numeric(78,0),
  note          text default ''::text not null,
  database_role text default SESSION_USER not null,
  effective_at  timestamptz not null,
  constraint fee_rules_pkey primary key (seq),
  constraint a_rule_is_whole check ((bps is null) = (flat is null)),
  constraint a_subject_for_its_scope check (
case scope
    when 'default'::text then subject = ''::text
    when 'tier'::text then subject = any (array['starter'::text, 'growth'::text])
    else subject ~ '^0x[0-9a-fA-F]{40}$'::text
end),
  constraint fee_rules_bps_check check (bps >= 0 and bps <= 10000),
  constraint fee_rules_flat_check check (flat >= 0::numeric),
  constraint fee_rules_kind_check check (kind = any (array['settlement'::text, 'payment'::text, 'sale'::text, 'direct_overage'::text])),
  constraint fee_rules_scope_check check (scope = any (array['default'::text, 'tier'::text, 'wallet'::text])),
  constraint overage_is_flat check (kind <> 'direct_overage'::text or bps is null or bps = 0)
);
create index fee_rules_newest on fee_rules (subject, kind, scope, seq desc);
create trigger insert_only before delete or update or truncate on fee_rules for each statement execute function refuse_change();
create trigger note_seal after insert on fee_rules for each row execute function note_seal('seq', 'seq', 'scope', 'subject', 'kind', 'bps', 'flat', 'effective_at');

create table gas_budgets (
  seller text not null,
  day    date not null,
  spent  bigint not null,
  constraint gas_budgets_pkey primary key (seller, day),
  constraint gas_budgets_spent_check check (spent >= 0)
);

create table gas_flights (
  ref          text not null,
  network      text not null,
  token        text not null,
  payer        text not null,
  nonce        text not null,
  amount       numeric(78,0) not null,
  seller       text not null,
  gas          bigint not null,
  valid_before numeric(78,0) not null,
  constraint gas_flights_pkey primary key (ref),
  constraint one_flight_per_authorization unique (network, token, payer, nonce),
  constraint gas_flights_amount_check check (amount >= 0::numeric),
  constraint gas_flights_gas_check check (gas > 0)
);
create index gas_flights_by_seller on gas_flights (seller);

create table gas_payers (
  network     text not null,
  token       text not null,
  payer       text not null,
  in_flight   numeric(78,0) default 0 not null,
  balance     numeric(78,0) default 0 not null,
  seen_block  bigint default 0 not null,
  freed_block bigint default 0 not null,
  used_at     timestamptz not null,
  constraint gas_payers_pkey primary key (network, token, payer),
  constraint in_flight_within_balance check (in_flight >= 0::numeric and in_flight <= balance)
) with (fillfactor=80);

create table gas_waits (
  kind      text not null,
  subject   text not null,
  failures  integer not null,
  failed_at timestamptz not null,
  constraint gas_waits_pkey primary key (kind, subject),
  constraint gas_waits_failures_check check (failures >= 0),
  constraint gas_waits_kind_check check (kind = any (array['payer'::text, 'token'::text, 'seller'::text]))
);

create table holder_accounts (
  address text not null,
  card_id text not null,
  constraint holder_accounts_pkey primary key (address),
  constraint holder_accounts_card_id_fkey foreign key (card_id) references cards(id),
  constraint holder_accounts_address_check check (address ~ '^0x[0-9a-fA-F]{40}$'::text)
);

create table idempotency_keys (
  wallet_address text not null,
  key            text not null,
  route          text not null,
  request_hash   bytea not null,
  status         integer,
  answer         bytea,
  locked_until   timestamptz not null,
  created_at     timestamptz not null,
  constraint idempotency_keys_pkey primary key (wallet_address, key),
  constraint idempotency_keys_check check ((status is null) = (answer is null)),
  constraint length_of_a_key check (length(key) >= 1 and length(key) <= 320)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table identities (
  card_id         text not null,
  network         text not null,
  registry        text not null,
  owner_wallet    text not null,
  asked_by        text,
  base_url        text not null,
  state           text not null,
  move            text,
  custody         text default 'CUSTODIAL'::text not null,
  token_id        numeric(78,0),
  holder_address  text,
  attestation_uid text,
  is_attested     boolean default false not null,
  is_deployed     boolean default false not null,
  is_named        boolean default false not null,
  attempts        integer default 0 not null,
  send_ref        text,
  tx_hash         text,
  reason          text,
  created_at      timestamptz not null,
  checked_at      timestamptz not null,
  constraint identities_pkey primary key (card_id),
  constraint one_holder_per_card unique (holder_address),
  constraint one_token_per_card unique (network, registry, token_id),
  constraint a_move_while_transferring check ((move is not null) = (state = 'TRANSFERRING'::text)),
  constraint a_reason_for_failure check (state <> 'FAILED'::text or reason is not null),
  constraint a_token_once_final check ((token_id is null) = (state = any (array['PENDING'::text, 'MINTED'::text, 'FAILED'::text])) and (token_id is null) = (holder_address is null)),
  constraint asked_for_at_rest check (asked_by is not null or (state = any (array['PENDING'::text, 'MINTED'::text, 'TRANSFERRING'::text]))),
  constraint identities_attempts_check check (attempts >= 0),
  constraint identities_attestation_uid_check check (attestation_uid ~ '^0x[0-9a-f]{64}$'::text),
  constraint identities_custody_check check (custody = any (array['CUSTODIAL'::text, 'WITHDRAWN'::text])),
  constraint identities_holder_address_check check (holder_address ~ '^0x[0-9a-fA-F]{40}$'::text),
  constraint identities_move_check check (move = any (array['assign'::text, 'release'::text, 'outside'::text])),
  constraint identities_registry_check check (registry ~ '^0x[0-9a-fA-F]{40}$'::text),
  constraint identities_state_check check (state = any (array['PENDING'::text, 'MINTED'::text, 'FINAL'::text, 'TRANSFERRING'::text, 'DETACHED'::text, 'FAILED'::text])),
  constraint identities_token_id_check check (token_id >= 0::numeric),
  constraint identities_tx_hash_check check (tx_hash ~ '^0x[0-9a-f]{64}$'::text),
  constraint only_what_is_out_is_detached check (state <> 'DETACHED'::text or custody = 'WITHDRAWN'::text)
);
create index identities_at_rest on identities (custody, checked_at) where state = any (array['FINAL'::text, 'DETACHED'::text]);
create index identities_open on identities (checked_at) where state = any (array['PENDING'::text, 'MINTED'::text, 'TRANSFERRING'::text]);
create trigger keep_identity before update on identities for each row execute function keep_identity();
create trigger names_a_person before insert or update of owner_wallet on identities for each row when (is_system_address(new.owner_wallet)) execute function refuse_system_address();
create trigger no_delete before delete or truncate on identities for each statement execute function refuse_change();

create table identity_rations (
  scope text not null,
  day   date not null,
  mints integer default 0 not null,
  moves integer default 0 not null,
  uris  integer default 0 not null,
  constraint identity_rations_pkey primary key (scope, day),
  constraint identity_rations_mints_check check (mints >= 0),
  constraint identity_rations_moves_check check (moves >= 0),
  constraint identity_rations_uris_check check (uris >= 0),
  constraint ten_a_day check (scope = 'all'::text or mints <= 10 and moves <= 10)
);

create table job_workers (
  worker_id text not null,
  seen_at   timestamptz default now() not null,
  constraint job_workers_pkey primary key (worker_id)
);

create table ledger_accounts (
  id       bigint generated always as identity not null,
  kind     text not null,
  owner    text not null,
  network  text not null,
  asset    text not null,
  posted   numeric(78,0) default 0 not null,
  held     numeric(78,0) default 0 not null,
  is_house boolean generated always as ((kind = any (array['custody'::text, 'fees'::text, 'membership_revenue'::text, 'outbound'::text]))) stored,
  constraint ledger_accounts_pkey primary key (id),
  constraint ledger_accounts_key unique (kind, owner, network, asset),
  constraint a_reserve_is_not_held check (held = 0::numeric or kind <> 'autopay'::text),
  constraint available_not_negative check ((kind = any (array['custody'::text, 'fees'::text, 'membership_revenue'::text, 'outbound'::text])) or (posted - held) >= 0::numeric),
  constraint held_not_negative check (held >= 0::numeric),
  constraint ledger_accounts_kind_check check (kind = any (array['custody'::text, 'treasury'::text, 'card'::text, 'fee_meter'::text, 'autopay'::text, 'fees'::text, 'membership_revenue'::text, 'outbound'::text, 'suspense'::text]))
) with (fillfactor=70);
create trigger balance_by_entries_only after update on ledger_accounts for each row when (pg_trigger_depth() = 0) execute function refuse_change();
create trigger names_a_person before insert on ledger_accounts for each row when (new.kind = 'treasury'::text and is_system_address(new.owner)) execute function refuse_system_address();
create trigger no_delete before delete or truncate on ledger_accounts for each statement execute function refuse_change();
create trigger note_seal after insert or update of id, kind, owner, network, asset on ledger_accounts for each row execute function note_seal('id', 'id', 'kind', 'owner', 'network', 'asset');
create constraint trigger reserve_pays_membership_only after update on ledger_accounts deferrable initially deferred for each row when (new.kind = 'autopay'::text and old.posted <> new.posted) execute function reserve_pays_membership_only();

create table ledger_batches (
  id         bigint not null,
  chain      integer not null,
  seq        bigint not null,
  previous   bytea not null,
  hash       bytea not null,
  created_at timestamptz default now() not null,
  constraint ledger_batches_pkey primary key (id),
  constraint ledger_batches_chain_seq_key unique (chain, seq),
  constraint ledger_batches_chain_fkey foreign key (chain) references ledger_chains(id)
);
create trigger insert_only before delete or update or truncate on ledger_batches for each statement execute function refuse_change();

create table ledger_chains (
  id   integer not null,
  seq  bigint default 0 not null,
  head bytea not null,
  constraint ledger_chains_pkey primary key (id)
) with (fillfactor=50);

create table ledger_checkpoints (
  seq        bigint not null,
  chains     integer[] not null,
  seqs       bigint[] not null,
  heads      bytea[] not null,
  seals      bigint not null,
  seals_head bytea not null,
  previous   bytea not null,
  key_id     text not null,
  mac        bytea not null,
  created_at timestamptz not null,
  constraint ledger_checkpoints_pkey primary key (seq),
  constraint ledger_checkpoints_mac_key unique (mac),
  constraint ledger_checkpoints_check check (cardinality(seqs) = cardinality(chains)),
  constraint ledger_checkpoints_check1 check (cardinality(heads) = cardinality(chains)),
  constraint ledger_checkpoints_mac_check check (length(mac) = 32),
  constraint ledger_checkpoints_previous_check check (length(previous) = 32),
  constraint ledger_checkpoints_seals_head_check check (length(seals_head) = 32),
  constraint ledger_checkpoints_seq_check check (seq > 0)
);
create trigger insert_only before delete or update or truncate on ledger_checkpoints for each statement execute function refuse_change();

create table ledger_holds (
  id         text not null,
  account_id bigint not null,
  amount     numeric(78,0) not null,
  captured   numeric(78,0) default 0 not null,
  state      text default 'open'::text not null,
  ref        text not null,
  created_at timestamptz not null,
  closed_at  timestamptz,
  constraint ledger_holds_pkey primary key (id),
  constraint one_hold_per_cause unique (ref),
  constraint ledger_holds_account_id_fkey foreign key (account_id) references ledger_accounts(id),
  constraint ledger_holds_amount_check check (amount > 0::numeric),
  constraint ledger_holds_check check (captured >= 0::numeric and captured <= amount),
  constraint ledger_holds_check1 check ((state = 'open'::text) = (closed_at is null)),
  constraint ledger_holds_check2 check ((state = 'captured'::text) = (captured > 0::numeric)),
  constraint ledger_holds_id_check check (id ~~ 'hold\_%'::text),
  constraint ledger_holds_state_check check (state = any (array['open'::text, 'captured'::text, 'released'::text]))
);
create index ledger_holds_by_account on ledger_holds (account_id, id);
create index ledger_holds_open on ledger_holds (account_id) where state = 'open'::text;
create trigger free_caps_of_hold after update on ledger_holds for each row when (new.state <> 'open'::text and new.captured < new.amount) execute function free_caps_of_hold();
create trigger ledger_hold_closed before update on ledger_holds for each row execute function ledger_hold_closed();
create trigger ledger_hold_opened after insert on ledger_holds referencing new table as added for each statement execute function ledger_hold_opened();
create trigger no_delete before delete or truncate on ledger_holds for each statement execute function refuse_change();

create table ledger_house_parts (
  account_id bigint not null,
  chain      integer not null,
  posted     numeric(78,0) not null,
  constraint ledger_house_parts_pkey primary key (account_id, chain),
  constraint ledger_house_parts_account_id_fkey foreign key (account_id) references ledger_accounts(id),
  constraint ledger_house_parts_chain_fkey foreign key (chain) references ledger_chains(id)
) with (fillfactor=50);

create table ledger_totals (
  account_id bigint not null,
  kind       text not null,
  gained     numeric(78,0) not null,
  gave       numeric(78,0) not null,
  constraint ledger_totals_pkey primary key (account_id, kind),
  constraint ledger_totals_account_id_fkey foreign key (account_id) references ledger_accounts(id),
  constraint ledger_totals_gained_check check (gained >= 0::numeric),
  constraint ledger_totals_gave_check check (gave >= 0::numeric)
) with (fillfactor=70);
create trigger no_truncate before truncate on ledger_totals for each statement execute function refuse_change();
create trigger totals_by_entries_only before insert or delete or update on ledger_totals for each row when (pg_trigger_depth() = 0) execute function refuse_change();

create table ledger_transfer_rows (
  id         text not null,
  kind       text not null,
  ref        text not null,
  reverses   text,
  accounts   bigint[] not null,
  amounts    numeric(78,0)[] not null,
  digest     bytea not null,
  batch      bigint not null,
  created_at timestamptz not null,
  constraint ledger_transfer_rows_pkey primary key (id),
  constraint one_transfer_per_cause unique (kind, ref),
  constraint ledger_transfer_rows_digest_check check (length(digest) = 32),
  constraint ledger_transfer_rows_id_check check (id ~~ 'trf\_%'::text),
  constraint what_comes_back_was_given check (reverses is not null or (kind <> all (array['refund'::text, 'payment_undone'::text, 'withdrawal_failed'::text]))),
  constraint whole_lines check (cardinality(amounts) >= 2 and cardinality(amounts) = cardinality(accounts) and (0::numeric <> all (amounts)) and array_ndims(amounts) = 1 and array_position(accounts, null::bigint) is null and array_position(amounts, null::numeric) is null)
);
create index ledger_transfers_by_batch on ledger_transfer_rows (batch);
create unique index one_reversal on ledger_transfer_rows (reverses) where reverses is not null and kind <> 'refund'::text;
create trigger insert_only before delete or update or truncate on ledger_transfer_rows for each statement execute function refuse_change();
create trigger ledger_apply after insert on ledger_transfer_rows referencing new table as added for each statement execute function ledger_apply();
create trigger money_stays_on_sale after insert on ledger_transfer_rows for each row when (new.kind = any (array['card_claim'::text, 'card_slice'::text, 'refund'::text])) execute function keep_money_on_sale();
create constraint trigger returns_to_whoever_paid after insert on ledger_transfer_rows not deferrable initially immediate for each row when (new.reverses is not null) execute function refuse_return_to_others();
create trigger settlements_are_posted_once after insert on ledger_transfer_rows for each row when (new.kind = 'settlement'::text) execute function refuse_second_posting();

create table listing_counts (
  network text not null,
  part    smallint not null,
  listed  bigint not null,
  constraint listing_counts_pkey primary key (network, part),
  constraint listing_counts_part_check check (part >= 0 and part <= 15)
) with (fillfactor=50);
create trigger counted_by_listings_only before insert or delete or update on listing_counts for each row when (pg_trigger_depth() = 0) execute function refuse_change();

create table listings (
  id         text not null,
  card_id    text not null,
  seller     text not null,
  price      numeric(78,0) not null,
  mode       text not null,
  network    text not null,
  asset      text not null,
  hash       text not null,
  status     text not null,
  reason     text,
  version    text,
  buyer      text,
  fee        numeric(78,0),
  settled_tx text,
  created_at timestamptz not null,
  expires_at timestamptz,
  checked_at timestamptz,
  settled_at timestamptz,
  ended_at   timestamptz,
  constraint listings_pkey primary key (id),
  constraint one_listing_per_hash unique (hash),
  constraint listings_card_id_fkey foreign key (card_id) references cards(id),
  constraint cancelled_with_reason check ((status = 'CANCELLED'::text) = (reason is not null)),
  constraint custodial_sales_settle_at_once check (status <> 'SETTLING'::text or mode = 'onchain'::text),
  constraint ended_once check ((status = any (array['SOLD'::text, 'CANCELLED'::text])) = (ended_at is not null)),
  constraint expires_on_chain check ((mode = 'onchain'::text) = (expires_at is not null)),
  constraint fee_within_price check (fee >= 0::numeric and fee <= price),
  constraint listings_hash_check check (hash ~ '^0x[0-9a-f]{64}$'::text),
  constraint listings_id_check check (id ~~ 'lst\_%'::text),
  constraint listings_mode_check check (mode = any (array['custodial'::text, 'onchain'::text])),
  constraint listings_price_check check (price > 0::numeric),
  constraint listings_status_check check (status = any (array['LISTED'::text, 'SETTLING'::text, 'SOLD'::text, 'CANCELLED'::text])),
  constraint not_to_its_seller check (buyer is null or buyer <> seller),
  constraint sold_to_a_buyer check (status <> 'SOLD'::text or num_nonnulls(buyer, fee, settled_at, version) = 4)
);
create index listings_by_card on listings (card_id, id desc);
create index listings_cheapest on listings (network, price, id desc) where status = 'LISTED'::text;
create index listings_dearest on listings (network, price desc, id desc) where status = 'LISTED'::text;
create index listings_expiring on listings (expires_at) where status = 'LISTED'::text and expires_at is not null;
create index listings_newest on listings (network, id) where status = 'LISTED'::text;
create index listings_unseen on listings (checked_at nulls first) where status = 'LISTED'::text and mode = 'onchain'::text;
create unique index one_live_listing_per_card on listings (card_id) where status = any (array['LISTED'::text, 'SETTLING'::text]);
create trigger begins_listed before insert on listings for each row when (new.status <> 'LISTED'::text) execute function refuse_change();
create constraint trigger count_listing after insert or update of status on listings deferrable initially deferred for each row execute function count_listing();
create trigger keep_listing before update on listings for each row execute function keep_listing();
create trigger no_delete before delete or truncate on listings for each statement execute function refuse_change();
create trigger note_seal after insert or update of id, card_id, seller, price, mode, network, status, buyer on listings for each row execute function note_seal('id', 'id', 'card_id', 'seller', 'price', 'mode', 'network', 'status', 'buyer');

create table machines (
  id            text not null,
  host          text not null,
  pid           integer not null,
  version       text not null,
  roles         text[] not null,
  processes     integer not null,
  started_at    timestamptz default now() not null,
  seen_at       timestamptz default now() not null,
  secrets       text[],
  ahead_ms      double precision,
  refused_from  timestamptz,
  refused_until timestamptz,
  refused_why   text,
  connections   integer,
  constraint machines_pkey primary key (id),
  constraint machines_id_check check (id ~~ 'mch\_%'::text)
);

create table membership_payments (
  id             text not null,
  wallet_address text not null,
  tier           text not null,
  billing_period text not null,
  anchor         timestamptz not null,
  months         integer not null,
  period_start   timestamptz not null,
  period_end     timestamptz not null,
  amount         numeric(78,0) not null,
  asset          text not null,
  network        text not null,
  source         text not null,
  card_id        text,
  charge_id      text,
  created_at     timestamptz not null,
  undone_at      timestamptz,
  constraint membership_payments_pkey primary key (id),
  constraint one_payment_per_charge unique (charge_id),
  constraint membership_payments_card_id_fkey foreign key (card_id) references cards(id),
  constraint membership_payments_charge_id_fkey foreign key (charge_id) references agreement_charges(id),
  constraint membership_payments_wallet_address_fkey foreign key (wallet_address) references membership_wallets(wallet_address),
  constraint membership_payments_amount_check check (amount > 0::numeric),
  constraint membership_payments_check check ((source = 'autopay'::text) = (card_id is not null)),
  constraint membership_payments_check1 check (source = 'treasury'::text or charge_id is not null),
  constraint membership_payments_id_check check (id ~~ 'stl\_%'::text),
  constraint membership_payments_months_check check (months >= 0),
  constraint membership_payments_source_check check (source = any (array['treasury'::text, 'autopay'::text, 'wallet'::text])),
  constraint periods_from_the_anchor check (period_start = months_after(anchor, months) and period_end = months_after(anchor, months + months_of(billing_period)))
);
create unique index one_payment_per_period on membership_payments (wallet_address, period_start) where undone_at is null;
create trigger keep_membership_payment before update on membership_payments for each row execute function keep_membership_payment();
create trigger no_delete before delete or truncate on membership_payments for each statement execute function refuse_change();
create trigger no_moment_paid_twice before insert on membership_payments for each row execute function refuse_paid_period();
create trigger paid_by_its_number after insert on membership_payments for each row when (new.charge_id is not null) execute function paid_by_its_number();

create table membership_wallets (
  wallet_address text not null,
  due_at         timestamptz,
  constraint membership_wallets_pkey primary key (wallet_address),
  constraint membership_wallets_wallet_address_check check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'::text)
);
create index membership_wallets_due on membership_wallets (due_at) where due_at is not null;
create trigger names_a_person before insert on membership_wallets for each row when (is_system_address(new.wallet_address)) execute function refuse_system_address();

create table memberships (
  wallet_address       text not null,
  tier                 text not null,
  billing_period       text not null,
  asset                text not null,
  network              text not null,
  price                numeric(78,0) not null,
  status               text not null,
  anchor               timestamptz not null,
  months               integer not null,
  current_period_start timestamptz not null,
  current_period_end   timestamptz not null,
  cancel_at_period_end boolean not null,
  auto_renew           boolean not null,
  lapsed               boolean default false not null,
  counts_until         timestamptz generated always as (
case
    when (status = 'EXPIRED'::text) then null::timestamptz
    when (auto_renew and (not cancel_at_period_end) and (not lapsed)) then tried_until(current_period_end)
    else current_period_end
end) stored,
  last_payment_id      text not null,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  constraint memberships_pkey primary key (wallet_address),
  constraint memberships_tier_billing_period_asset_fkey foreign key (tier, billing_period, asset) references plans(tier, billing_period, asset),
  constraint memberships_wallet_address_fkey foreign key (wallet_address) references membership_wallets(wallet_address),
  constraint memberships_months_check check (months >= 0),
  constraint memberships_price_check check (price > 0::numeric),
  constraint memberships_status_check check (status = any (array['ACTIVE'::text, 'PAST_DUE'::text, 'EXPIRED'::text])),
  constraint only_active_is_cancelled check (not cancel_at_period_end or status = 'ACTIVE'::text),
  constraint past_due_has_an_agreement check (status <> 'PAST_DUE'::text or auto_renew),
  constraint periods_from_the_anchor check (current_period_start = months_after(anchor, months) and current_period_end = months_after(anchor, months + months_of(billing_period)))
);
create trigger keep_membership before update on memberships for each row execute function keep_membership();
create trigger no_delete before delete or truncate on memberships for each statement execute function refuse_change();
create trigger note_seal after insert or update of wallet_address, tier, billing_period, asset, status, current_period_end on memberships for each row execute function note_seal('wallet_address', 'wallet_address', 'tier', 'billing_period', 'asset', 'status', 'current_period_end');

create table merchant_categories (
  wallet_address text not null,
  mcc            text,
  note           text not null,
  assigned_at    timestamptz not null,
  constraint merchant_categories_pkey primary key (wallet_address),
  constraint merchant_categories_mcc_check check (mcc ~ '^\d{4}$'::text),
  constraint merchant_categories_wallet_address_check check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'::text)
);
create trigger no_delete before delete or truncate on merchant_categories for each statement execute function refuse_change();
create trigger note_category_change after insert or update on merchant_categories for each row execute function note_category_change();
create trigger wallets_stay before update on merchant_categories for each row when (old.wallet_address <> new.wallet_address) execute function refuse_change();

create table merchant_category_changes (
  id             bigint generated always as identity not null,
  wallet_address text not null,
  previous       text,
  mcc            text,
  note           text not null,
  database_role  text not null,
  changed_at     timestamptz not null,
  constraint merchant_category_changes_pkey primary key (id)
);
create trigger insert_only before delete or update or truncate on merchant_category_changes for each statement execute function refuse_change();
create trigger written_by_changes_only before insert on merchant_category_changes for each row when (pg_trigger_depth() = 0) execute function refuse_change();

create table meter_topups (
  id             text not null,
  wallet_address text not null,
  network        text not null,
  asset          text not null,
  amount         numeric(78,0) not null,
  agreement_id   text,
  settlement_id  text,
  created_at     timestamptz not null,
  constraint meter_topups_pkey primary key (id),
  constraint meter_topups_settlement_id_key unique (settlement_id),
  constraint meter_topups_wallet_address_fkey foreign key (wallet_address) references fee_meters(wallet_address),
  constraint meter_topups_amount_check check (amount > 0::numeric),
  constraint meter_topups_check check ((agreement_id is null) = (settlement_id is null)),
  constraint meter_topups_id_check check (id ~~ 'fee\_%'::text)
);
create index meter_topups_by_wallet on meter_topups (wallet_address, id);
create trigger insert_only before delete or update or truncate on meter_topups for each statement execute function refuse_change();
create constraint trigger names_a_settlement after insert or update of settlement_id on meter_topups not deferrable initially immediate for each row when (new.settlement_id is not null) execute function names_a_settlement();

create table missing_sales (
  hash         text not null,
  card_id      text,
  market       text not null,
  token_id     numeric(78,0) not null,
  seller       text not null,
  buyer        text not null,
  price        numeric(78,0) not null,
  tx_hash      text not null,
  block_number bigint not null,
  log_index    integer not null,
  state        text not null,
  reason       text,
  is_ordered   boolean default false not null,
  note         text,
  found_at     timestamptz not null,
  ended_at     timestamptz,
  constraint missing_sales_pkey primary key (hash),
  constraint a_card_to_adopt check ((state <> all (array['found'::text, 'adopted'::text])) or card_id is not null),
  constraint held_for_a_reason check (state <> 'held'::text or reason is not null),
  constraint missing_sale_ended_once check ((state = any (array['adopted'::text, 'dismissed'::text])) = (ended_at is not null)),
  constraint missing_sales_check check (buyer <> seller),
  constraint missing_sales_hash_check check (hash ~ '^0x[0-9a-f]{64}$'::text),
  constraint missing_sales_price_check check (price > 0::numeric),
  constraint missing_sales_state_check check (state = any (array['found'::text, 'held'::text, 'adopted'::text, 'dismissed'::text]))
);
create index missing_sales_open on missing_sales (block_number, log_index) where state = any (array['found'::text, 'held'::text]);
create trigger no_delete before delete or truncate on missing_sales for each statement execute function refuse_change();

create table mpp_sessions (
  id             text not null,
  card_id        text not null,
  wallet_address text not null,
  merchant       text not null,
  created_at     timestamptz not null,
  constraint mpp_sessions_pkey primary key (id),
  constraint mpp_sessions_card_id_fkey foreign key (card_id) references cards(id),
  constraint mpp_sessions_id_check check (id ~~ 'ses\_%'::text)
);

create table mpp_streams (
  id               text not null,
  wallet_address   text not null,
  card_id          text not null,
  receiver_card_id text,
  session_id       text,
  merchant         text not null,
  hold_id          text not null,
  network          text not null,
  asset            text not null,
  budget           numeric(78,0) not null,
  tick_amount      numeric(78,0) not null,
  fee_bps          integer not null,
  fee_flat         numeric(78,0) not null,
  total_ticked     numeric(78,0) default 0 not null,
  status           text default 'OPEN'::text not null,
  final_amount     numeric(78,0),
  created_at       timestamptz not null,
  expires_at       timestamptz not null,
  ended_at         timestamptz,
  constraint mpp_streams_pkey primary key (id),
  constraint mpp_streams_hold_id_key unique (hold_id),
  constraint mpp_streams_card_id_fkey foreign key (card_id) references cards(id),
  constraint mpp_streams_hold_id_fkey foreign key (hold_id) references ledger_holds(id),
  constraint mpp_streams_receiver_card_id_fkey foreign key (receiver_card_id) references cards(id),
  constraint mpp_streams_session_id_fkey foreign key (session_id) references mpp_sessions(id),
  constraint mpp_streams_budget_check check (budget > 0::numeric),
  constraint mpp_streams_check check (receiver_card_id <> card_id),
  constraint mpp_streams_check1 check (tick_amount > 0::numeric and tick_amount <= budget),
  constraint mpp_streams_check2 check (final_amount = 0::numeric or final_amount = total_ticked),
  constraint mpp_streams_check3 check ((status = 'OPEN'::text) = (ended_at is null)),
  constraint mpp_streams_check4 check ((status = 'OPEN'::text) = (final_amount is null)),
  constraint mpp_streams_fee_bps_check check (fee_bps >= 0 and fee_bps <= 10000),
  constraint mpp_streams_fee_flat_check check (fee_flat >= 0::numeric),
  constraint mpp_streams_id_check check (id ~~ 'str\_%'::text),
  constraint mpp_streams_status_check check (status = any (array['OPEN'::text, 'CLOSED'::text, 'EXPIRED'::text])),
  constraint mpp_streams_total_ticked_check check (total_ticked >= 0::numeric),
  constraint within_budget check (total_ticked <= budget)
) with (fillfactor=70);
create index mpp_streams_by_receiver on mpp_streams (receiver_card_id, id desc) where receiver_card_id is not null;
create index mpp_streams_by_wallet on mpp_streams (wallet_address, id desc);
create index mpp_streams_open on mpp_streams (expires_at) where status = 'OPEN'::text;
create trigger keep_mpp_stream before update on mpp_streams for each row execute function keep_mpp_stream();
create trigger no_delete before delete or truncate on mpp_streams for each statement execute function refuse_change();

create table onchain_payments (
  listing_id   text not null,
  attempt      integer not null,
  buyer        text not null,
  valid_after  bigint not null,
  valid_before bigint not null,
  signature    text not null,
  send_ref     text not null,
  from_block   bigint not null,
  created_at   timestamptz not null,
  constraint onchain_payments_pkey primary key (listing_id, attempt),
  constraint onchain_payments_send_ref_key unique (send_ref),
  constraint onchain_payments_listing_id_fkey foreign key (listing_id) references listings(id),
  constraint onchain_payments_attempt_check check (attempt > 0)
);
create trigger no_change before delete or update or truncate on onchain_payments for each statement execute function refuse_change();

create table onchain_terms (
  hash             text not null,
  card_id          text not null,
  listing_id       text,
  market           text not null,
  registry         text not null,
  token_id         numeric(78,0) not null,
  seller           text not null,
  operator         text not null,
  price            numeric(78,0) not null,
  fee_bps          integer not null,
  fee_receiver     text not null,
  expiry           bigint not null,
  nonce            numeric(78,0) not null,
  holder           text not null,
  holder_state     numeric(78,0) not null,
  min_holder_usdc  numeric(78,0) not null,
  seller_signature text,
  created_at       timestamptz not null,
  constraint onchain_terms_pkey primary key (hash),
  constraint onchain_terms_listing_id_key unique (listing_id),
  constraint onchain_terms_card_id_fkey foreign key (card_id) references cards(id),
  constraint onchain_terms_listing_id_fkey foreign key (listing_id) references listings(id),
  constraint onchain_terms_fee_bps_check check (fee_bps >= 0 and fee_bps <= 1000),
  constraint onchain_terms_hash_check check (hash ~ '^0x[0-9a-f]{64}$'::text),
  constraint onchain_terms_price_check check (price > 0::numeric),
  constraint signed_once_listed check ((listing_id is null) = (seller_signature is null))
);
create unique index one_draft_per_card on onchain_terms (card_id) where listing_id is null;
create trigger keep_listed_terms before delete or update on onchain_terms for each row when (old.listing_id is not null) execute function refuse_change();

create table outbound_payments (
  id              text not null,
  wallet_address  text not null,
  card_id         text not null,
  hold_id         text not null,
  idempotency_key text,
  request_digest  bytea not null,
  protocol        text not null,
  method          text not null,
  url             text not null,
  network         text not null,
  asset           text not null,
  offer           json not null,
  signed_offer    json,
  pay_to          text not null,
  merchant_amount numeric(78,0) not null,
  fee             numeric(78,0) not null,
  mechanism       text not null,
  max_amount      numeric(78,0) not null,
  fee_bps         integer not null,
  fee_flat        numeric(78,0) not null,
  nonce           text not null,
  payer           text not null,
  valid_before    bigint not null,
  from_block      bigint not null,
  state           text default 'authorized'::text not null,
  header_name     text,
  header_value    text,
  presentations   integer default 0 not null,
  response_status integer,
  receipt         json,
  seller_keys     json,
  problem         json,
  served          json,
  tx_hash         text,
  block_number    bigint,
  created_at      timestamptz not null,
  ended_at        timestamptz,
  constraint outbound_payments_pkey primary key (id),
  constraint one_payment_per_key unique (wallet_address, idempotency_key),
  constraint outbound_payments_hold_id_key unique (hold_id),
  constraint outbound_payments_nonce_key unique (nonce),
  constraint outbound_payments_card_id_fkey foreign key (card_id) references cards(id),
  constraint outbound_payments_hold_id_fkey foreign key (hold_id) references ledger_holds(id),
  constraint outbound_payments_id_fkey foreign key (id) references card_transaction_rows(id),
  constraint outbound_payments_check check ((header_name is null) = (header_value is null)),
  constraint outbound_payments_check1 check ((presentations > 0) = (header_value is not null)),
  constraint outbound_payments_check2 check ((state <> all (array['authorized'::text, 'presented'::text])) or (header_value is null) = (state = 'authorized'::text)),
  constraint outbound_payments_check3 check ((state = any (array['captured'::text, 'final'::text])) = (tx_hash is not null)),
  constraint outbound_payments_check4 check ((tx_hash is null) = (block_number is null)),
  constraint outbound_payments_check5 check ((state = any (array['final'::text, 'released'::text, 'undone'::text])) = (ended_at is not null)),
  constraint outbound_payments_fee_bps_check check (fee_bps >= 0),
  constraint outbound_payments_fee_check check (fee >= 0::numeric),
  constraint outbound_payments_fee_flat_check check (fee_flat >= 0::numeric),
  constraint outbound_payments_mechanism_check check (mechanism = any (array['eip3009'::text, 'permit2'::text, 'upto'::text])),
  constraint outbound_payments_merchant_amount_check check (merchant_amount > 0::numeric),
  constraint outbound_payments_nonce_check check (nonce ~ '^0x[0-9a-f]{64}$'::text),
  constraint outbound_payments_payer_check check (payer ~ '^0x[0-9a-fA-F]{40}$'::text),
  constraint outbound_payments_protocol_check check (protocol = any (array['x402'::text, 'mpp'::text])),
  constraint outbound_payments_request_digest_check check (length(request_digest) = 32),
  constraint outbound_payments_state_check check (state = any (array['authorized'::text, 'presented'::text, 'captured'::text, 'final'::text, 'released'::text, 'undone'::text])),
  constraint outbound_payments_tx_hash_check check (tx_hash ~ '^0x[0-9a-f]{64}$'::text),
  constraint the_whole_but_for_upto check (mechanism = 'upto'::text or merchant_amount = max_amount),
  constraint within_the_most check (merchant_amount <= max_amount)
);
create index outbound_payments_ended on outbound_payments (ended_at) where state = 'final'::text;
create index outbound_payments_final on outbound_payments (block_number) where state = 'final'::text;
create index outbound_payments_open on outbound_payments (created_at) where state = any (array['authorized'::text, 'presented'::text, 'captured'::text]);
create index outbound_payments_without_key on outbound_payments (card_id, created_at) where idempotency_key is null;
create trigger names_a_person before insert on outbound_payments for each row when (is_system_address(new.pay_to)) execute function refuse_system_address();
create trigger recount_undone after update of state on outbound_payments for each row when (new.state = 'undone'::text and old.state <> 'undone'::text) execute function recount_undone();

create table own_payments (
  ref text not null,
  constraint own_payments_pkey primary key (ref)
);
create trigger insert_only before delete or update or truncate on own_payments for each statement execute function refuse_change();

create table paid_mandates (
  key           bytea not null,
  settlement_id text not null,
  constraint one_payment_per_mandate primary key (key)
);
create trigger insert_only before delete or update or truncate on paid_mandates for each statement execute function refuse_change();
create trigger written_by_settlements_only before insert on paid_mandates for each statement when (pg_trigger_depth() = 0) execute function refuse_change();

create table pay_link_checkouts (
  pay_link_id  text not null,
  checkout_id  text not null,
  checkout_jwt text not null,
  is_required  boolean not null,
  created_at   timestamptz not null,
  constraint pay_link_checkouts_pkey primary key (pay_link_id),
  constraint one_link_per_checkout unique (checkout_id),
  constraint pay_link_checkouts_pay_link_id_fkey foreign key (pay_link_id) references pay_links(id)
);
create trigger insert_only before delete or update or truncate on pay_link_checkouts for each statement execute function refuse_change();

create table pay_link_logs (
  network       text not null,
  tx_hash       text not null,
  log_index     integer not null,
  settlement_id text,
  exception_id  text,
  direct_id     text,
  constraint one_use_per_log primary key (network, tx_hash, log_index),
  constraint pay_link_logs_direct_id_fkey foreign key (direct_id) references direct_settlements(id),
  constraint pay_link_logs_exception_id_fkey foreign key (exception_id) references payment_exceptions(id)
);
create constraint trigger names_a_settlement after insert or update of settlement_id on pay_link_logs not deferrable initially immediate for each row when (new.settlement_id is not null) execute function names_a_settlement();

create table pay_links (
  id                 text not null,
  code               text not null,
  wallet_address     text not null,
  card_id            text not null,
  network            text not null,
  asset              text not null,
  amount             numeric(78,0),
  min_amount         numeric(78,0),
  memo               text default ''::text not null,
  mcc                text,
  link_type          text not null,
  accepted_protocols text[] not null,
  status             text default 'ACTIVE'::text not null,
  uses               integer default 0 not null,
  reserved           integer default 0 not null,
  max_uses           integer not null,
  deposit_address    text,
  token              text,
  token_decimals     integer,
  token_type         text,
  metadata           jsonb default '{}'::jsonb not null,
  allowed_agents     text[],
  success_url        text,
  cancel_url         text,
  expires_at         timestamptz,
  confirmed_at       timestamptz,
  cancelled_at       timestamptz,
  created_at         timestamptz not null,
  ended_at           timestamptz generated always as (
case
    when (status <> 'ACTIVE'::text) then greatest(created_at, expires_at, confirmed_at, cancelled_at)
    else null::timestamptz
end) stored,
  payers_return      boolean default false not null,
  constraint pay_links_pkey primary key (id),
  constraint pay_links_code_key unique (code),
  constraint pay_links_deposit_address_key unique (deposit_address),
  constraint pay_links_card_id_fkey foreign key (card_id) references cards(id),
  constraint agents_pay_at_the_url check (allowed_agents is null or accepted_protocols <@ array['x402'::text, 'mpp'::text]),
  constraint custodial_or_direct check ((deposit_address is null) = (token is not null) and (token is null) = (token_decimals is null) and (token is null) = (token_type is null)),
  constraint direct_rails check (token is null or are_direct_rails(accepted_protocols)),
  constraint least_is_for_the_payers_choice check (min_amount is null or amount is null),
  constraint pay_links_accepted_protocols_check check (cardinality(accepted_protocols) > 0 and are_link_rails(accepted_protocols)),
  constraint pay_links_allowed_agents_check check (cardinality(allowed_agents) >= 1 and cardinality(allowed_agents) <= 20),
  constraint pay_links_amount_check check (amount > 0::numeric),
  constraint pay_links_cancel_url_check check (cancel_url ~ '^https?://'::text and char_length(cancel_url) <= 2048),
  constraint pay_links_check check (cancelled_at is null or status = 'CANCELLED'::text),
  constraint pay_links_code_check check (code ~ '^PL_[0-9A-HJKMNP-TV-Z]{10}$'::text),
  constraint pay_links_id_check check (id ~~ 'pl\_%'::text),
  constraint pay_links_link_type_check check (link_type = any (array['SINGLE'::text, 'RECURRING'::text])),
  constraint pay_links_max_uses_check check (max_uses >= 0),
  constraint pay_links_mcc_check check (mcc ~ '^\d{4}$'::text),
  constraint pay_links_min_amount_check check (min_amount > 0::numeric),
  constraint pay_links_reserved_check check (reserved >= 0),
  constraint pay_links_status_check check (status = any (array['ACTIVE'::text, 'EXPIRED'::text, 'CANCELLED'::text, 'COMPLETED'::text])),
  constraint pay_links_success_url_check check (success_url ~ '^https?://'::text and char_length(success_url) <= 2048),
  constraint pay_links_token_decimals_check check (token_decimals >= 0 and token_decimals <= 36),
  constraint pay_links_token_type_check check (token_type = any (array['ERC20'::text, 'B20'::text])),
  constraint pay_links_uses_check check (uses >= 0),
  constraint payers_return_by_x402 check (not payers_return or token is null and ('x402'::text = any (accepted_protocols))),
  constraint within_uses check (max_uses = 0 or (uses + reserved) <= max_uses)
) with (fillfactor=70);
create index pay_links_by_card on pay_links (card_id, id);
create index pay_links_by_wallet on pay_links (wallet_address, id desc);
create index pay_links_by_words on pay_links using gin (words_as_found(wallet_address, memo));
create index pay_links_ended on pay_links (ended_at) where ended_at is not null;
create index pay_links_expiring on pay_links (expires_at) where status = 'ACTIVE'::text;
create trigger ids_stay after update of id, code, memo, min_amount on pay_links for each row when (old.id is distinct from new.id or old.code is distinct from new.code or old.memo is distinct from new.memo or old.min_amount is distinct from new.min_amount) execute function refuse_change();
create trigger keep_link_on_sale before update of status on pay_links for each row when (new.status = 'CANCELLED'::text and old.status <> 'CANCELLED'::text) execute function keep_link_on_sale();
create trigger names_a_person before insert on pay_links for each row when (is_system_address(new.wallet_address)) execute function refuse_system_address();
create trigger no_delete before delete or truncate on pay_links for each statement execute function refuse_change();
create trigger note_seal after insert or update of id, code, wallet_address, card_id, network, asset, amount, deposit_address, token on pay_links for each row execute function note_seal('id', 'id', 'code', 'wallet_address', 'card_id', 'network', 'asset', 'amount', 'deposit_address', 'token');
create trigger seller_has_card after insert on pay_links for each row execute function seller_has_card();

create table payment_exceptions (
  id              text not null,
  pay_link_id     text not null,
  wallet_address  text not null,
  reason          text not null,
  amount          numeric(78,0) not null,
  fee             numeric(78,0) default 0 not null,
  payer           text not null,
  tx_hash         text not null,
  log_index       integer,
  status          text default 'OPEN'::text not null,
  withdrawal_id   text,
  refunds         integer default 0 not null,
  settlement_mode text default 'CUSTODIAL'::text not null,
  created_at      timestamptz not null,
  resolved_at     timestamptz,
  constraint payment_exceptions_pkey primary key (id),
  constraint payment_exceptions_withdrawal_id_key unique (withdrawal_id),
  constraint payment_exceptions_pay_link_id_fkey foreign key (pay_link_id) references pay_links(id),
  constraint payment_exceptions_withdrawal_id_fkey foreign key (withdrawal_id) references withdrawals(id),
  constraint direct_is_kept check (settlement_mode = 'CUSTODIAL'::text or status = 'KEPT'::text and fee = 0::numeric),
  constraint fee_within_amount check (fee >= 0::numeric and fee <= amount),
  constraint payment_exceptions_amount_check check (amount > 0::numeric),
  constraint payment_exceptions_id_check check (id ~~ 'exc\_%'::text),
  constraint payment_exceptions_reason_check check (reason = any (array['late'::text, 'short'::text, 'over'::text, 'cancelled'::text, 'completed'::text])),
  constraint payment_exceptions_refunds_check check (refunds >= 0),
  constraint payment_exceptions_settlement_mode_check check (settlement_mode = any (array['CUSTODIAL'::text, 'DIRECT'::text])),
  constraint payment_exceptions_status_check check (status = any (array['OPEN'::text, 'KEPT'::text, 'REFUNDED'::text])),
  constraint refunded_by_withdrawal check ((status = 'REFUNDED'::text) = (withdrawal_id is not null)),
  constraint resolved_once check ((status = 'OPEN'::text) = (resolved_at is null))
);
create index payment_exceptions_by_age on payment_exceptions (created_at);
create index payment_exceptions_by_link on payment_exceptions (pay_link_id, id desc);
create index payment_exceptions_by_wallet on payment_exceptions (wallet_address, id desc);
create trigger keep_exception before update on payment_exceptions for each row execute function keep_exception();
create trigger names_a_person before insert on payment_exceptions for each row when (is_system_address(new.payer)) execute function refuse_system_address();
create trigger no_delete before delete or truncate on payment_exceptions for each statement execute function refuse_change();
create trigger queue_exception after insert on payment_exceptions for each row execute function queue_exception();

create table payout_addresses (
  id             text not null,
  wallet_address text not null,
  address        text not null,
  added_at       timestamptz not null,
  removed_at     timestamptz,
  constraint payout_addresses_pkey primary key (id),
  constraint payout_addresses_address_check check (address ~ '^0x[0-9a-fA-F]{40}$'::text),
  constraint payout_addresses_check check (address <> wallet_address),
  constraint payout_addresses_id_check check (id ~~ 'pad\_%'::text)
);
create unique index one_payout_address on payout_addresses (wallet_address, address) where removed_at is null;
create index payout_addresses_by_wallet on payout_addresses (wallet_address, added_at);
create trigger names_a_person before insert on payout_addresses for each row when (is_system_address(new.address) or is_system_address(new.wallet_address)) execute function refuse_system_address();
create trigger no_delete before delete on payout_addresses for each row execute function keep_payout_address_row();
create trigger no_truncate before truncate on payout_addresses for each statement execute function refuse_change();
create trigger time_payout_address before insert or update on payout_addresses for each row execute function time_payout_address();

create table payout_orders (
  seq        bigint generated always as identity not null,
  network    text not null,
  asset      text not null,
  kind       text not null,
  shortage   numeric(78,0) default 0 not null,
  note       text not null,
  created_at timestamptz not null,
  constraint payout_orders_pkey primary key (seq),
  constraint payout_orders_check check (kind = 'release'::text or shortage = 0::numeric),
  constraint payout_orders_kind_check check (kind = any (array['stop'::text, 'release'::text])),
  constraint payout_orders_note_check check (length(note) >= 1 and length(note) <= 500),
  constraint payout_orders_shortage_check check (shortage >= 0::numeric)
);
create index payout_orders_newest on payout_orders (network, asset, seq desc);
create trigger no_change before delete or update or truncate on payout_orders for each statement execute function refuse_change();

create table paywall_links (
  wallet_address text not null,
  card_id        text not null,
  pay_link_id    text not null,
  created_at     timestamptz not null,
  constraint paywall_links_pkey primary key (wallet_address, card_id),
  constraint paywall_links_pay_link_id_key unique (pay_link_id),
  constraint paywall_links_card_id_fkey foreign key (card_id) references cards(id),
  constraint paywall_links_pay_link_id_fkey foreign key (pay_link_id) references pay_links(id)
);

create table paywall_payments (
  id             text not null,
  wallet_address text not null,
  payment_key    text not null,
  method         text not null,
  payer          text not null,
  amount         numeric(78,0) not null,
  payment_hash   bytea not null,
  request_hash   text not null,
  resource       text not null,
  state          text default 'claimed'::text not null,
  attempt        text,
  lease_until    timestamptz,
  is_delivered   boolean default false not null,
  answer         bytea,
  charged        numeric(78,0),
  tx_hash        text,
  settlement_id  text,
  created_at     timestamptz not null,
  settled_at     timestamptz,
  constraint paywall_payments_pkey primary key (id),
  constraint a_payment_buys_once unique (wallet_address, payment_key),
  constraint delivered_only_if_paid check (state = 'settled'::text or not is_delivered),
  constraint paywall_payments_amount_check check (amount > 0::numeric),
  constraint paywall_payments_answer_check check (length(answer) <= 160000),
  constraint paywall_payments_attempt_check check (length(attempt) >= 16 and length(attempt) <= 100),
  constraint paywall_payments_check check (charged >= 0::numeric and charged <= amount),
  constraint paywall_payments_id_check check (id ~~ 'pwp\_%'::text),
  constraint paywall_payments_method_check check (method = any (array['x402'::text, 'evm'::text, 'agentcard'::text])),
  constraint paywall_payments_payment_key_check check (length(payment_key) <= 400),
  constraint paywall_payments_request_hash_check check (length(request_hash) <= 200),
  constraint paywall_payments_resource_check check (length(resource) <= 2048),
  constraint paywall_payments_state_check check (state = any (array['claimed'::text, 'settling'::text, 'settled'::text])),
  constraint settled_for_an_amount check ((state = 'settled'::text) = (settled_at is not null and charged is not null))
) with (fillfactor=80);
create index paywall_payments_by_age on paywall_payments (created_at);
create trigger keep_paywall_payment before update on paywall_payments for each row execute function keep_settled_paywall_payment();

create table plans (
  tier           text not null,
  billing_period text not null,
  asset          text not null,
  price          numeric(78,0) not null,
  direct_quota   bigint not null,
  overage_fee    numeric(78,0) not null,
  is_offered     boolean default true not null,
  changed_at     timestamptz not null,
  constraint plans_pkey primary key (tier, billing_period, asset),
  constraint plans_billing_period_check check (billing_period = any (array['month'::text, 'year'::text])),
  constraint plans_direct_quota_check check (direct_quota >= 0),
  constraint plans_overage_fee_check check (overage_fee >= 0::numeric),
  constraint plans_price_check check (price > 0::numeric),
  constraint plans_tier_check check (tier = any (array['starter'::text, 'growth'::text]))
);
create trigger no_delete before delete or truncate on plans for each statement execute function refuse_change();
create trigger note_seal after insert or update of tier, billing_period, asset, price, direct_quota, overage_fee on plans for each row execute function note_seal('tier,billing_period,asset', 'tier', 'billing_period', 'asset', 'price', 'direct_quota', 'overage_fee');

create table profiles (
  wallet_address text not null,
  name           text,
  support_url    text,
  accent         text,
  logo           bytea,
  logo_type      text,
  logo_hash      text generated always as (encode(sha256(logo), 'hex'::text)) stored,
  updated_at     timestamptz not null,
  constraint profiles_pkey primary key (wallet_address),
  constraint logo_has_a_type check ((logo is null) = (logo_type is null)),
  constraint profiles_accent_check check (accent ~ '^#[0-9a-f]{6}$'::text),
  constraint profiles_logo_check check (octet_length(logo) >= 1 and octet_length(logo) <= 65536),
  constraint profiles_logo_type_check check (logo_type = any (array['image/png'::text, 'image/svg+xml'::text])),
  constraint profiles_name_check check (char_length(name) >= 1 and char_length(name) <= 80),
  constraint profiles_support_url_check check (char_length(support_url) >= 1 and char_length(support_url) <= 500)
);
create index profiles_by_logo on profiles (logo_hash) where logo_hash is not null;
create trigger names_a_person before insert on profiles for each row when (is_system_address(new.wallet_address)) execute function refuse_system_address();

create table pulls (
  id             text not null,
  agreement_id   text not null,
  period_key     text not null,
  ref            text not null,
  wallet_address text not null,
  network        text not null,
  asset          text not null,
  token          text not null,
  amount         numeric(78,0) not null,
  state          text default 'requested'::text not null,
  attempts       integer default 0 not null,
  reason         text,
  from_block     bigint,
  tx_hash        text,
  log_index      integer,
  block_number   bigint,
  block_hash     text,
  is_safe        boolean default false not null,
  created_at     timestamptz not null,
  ended_at       timestamptz,
  constraint pulls_pkey primary key (id),
  constraint one_pull_per_log unique (network, tx_hash, log_index),
  constraint one_pull_per_period unique (agreement_id, period_key),
  constraint pulls_ref_key unique (ref),
  constraint a_place_once_confirmed check ((state = any (array['confirmed'::text, 'missing'::text])) = (tx_hash is not null) and (tx_hash is null) = (log_index is null) and (tx_hash is null) = (block_number is null) and (tx_hash is null) = (block_hash is null)),
  constraint a_reason_for_failure check ((state <> all (array['failed'::text, 'missing'::text])) or reason is not null),
  constraint ended_once check ((state = any (array['confirmed'::text, 'failed'::text, 'missing'::text])) = (ended_at is not null)),
  constraint pulls_amount_check check (amount > 0::numeric),
  constraint pulls_attempts_check check (attempts >= 0),
  constraint pulls_block_hash_check check (block_hash ~ '^0x[0-9a-f]{64}$'::text),
  constraint pulls_log_index_check check (log_index >= 0),
  constraint pulls_ref_check check (ref ~ '^0x[0-9a-f]{64}$'::text),
  constraint pulls_state_check check (state = any (array['requested'::text, 'sent'::text, 'confirmed'::text, 'failed'::text, 'missing'::text])),
  constraint pulls_token_check check (token ~ '^0x[0-9a-fA-F]{40}$'::text),
  constraint pulls_tx_hash_check check (tx_hash ~ '^0x[0-9a-f]{64}$'::text),
  constraint safe_only_if_confirmed check (not is_safe or state = 'confirmed'::text),
  constraint sent_in_a_transaction check (state <> 'sent'::text or attempts > 0 and from_block is not null)
);
create index pulls_by_block on pulls (network, block_number) where state = 'confirmed'::text;
create index pulls_missing on pulls (ended_at) where state = 'missing'::text;
create index pulls_open on pulls (created_at) where not is_safe and (state = any (array['requested'::text, 'sent'::text, 'confirmed'::text]));
create trigger keep_pull before update on pulls for each row execute function keep_pull();
create trigger names_a_person before insert on pulls for each row when (is_system_address(new.wallet_address)) execute function refuse_system_address();
create trigger no_delete before delete or truncate on pulls for each statement execute function refuse_change();
create trigger one_use_per_transfer before insert or update of tx_hash, log_index on pulls for each row execute function refuse_second_use();

create table purchases (
  wallet_address text not null,
  key_space      text not null,
  digest         bytea not null,
  id             text not null,
  created_at     timestamptz not null,
  constraint one_purchase_per_digest primary key (wallet_address, key_space, digest),
  constraint purchases_id_key unique (id),
  constraint purchases_digest_check check (length(digest) = 32)
);
create index purchases_by_age on purchases (created_at);

create table rate_counts (
  name    text not null,
  slot    bigint not null,
  process text not null,
  count   integer not null,
  constraint rate_counts_pkey primary key (name, slot, process)
);
create index rate_counts_by_age on rate_counts (slot);

create table received_payments (
  settlement_id  text not null,
  wallet_address text not null,
  resource       text not null,
  received_at    timestamptz not null,
  constraint received_payments_pkey primary key (settlement_id),
  constraint received_payments_resource_check check (length(resource) <= 2048),
  constraint received_payments_settlement_id_check check (settlement_id ~~ 'stl\_%'::text or settlement_id ~~ 'fst\_%'::text)
);
create trigger no_change before delete or update or truncate on received_payments for each statement execute function refuse_change();
create trigger received_by_the_paid before insert on received_payments for each row execute function received_by_the_paid();

create table reconciliations (
  network       text not null,
  asset         text not null,
  block         bigint not null,
  compared_at   timestamptz not null,
  on_chain      numeric(78,0) not null,
  owed          numeric(78,0) not null,
  unclaimed     numeric(78,0) not null,
  awaited       numeric(78,0) not null,
  early         numeric(78,0) not null,
  departed      numeric(78,0) not null,
  ahead         numeric(78,0) not null,
  opening       numeric(78,0) not null,
  opening_block bigint not null,
  opened_at     timestamptz not null,
  claimed       numeric(78,0) not null,
  difference    numeric(78,0) not null,
  constraint reconciliations_pkey primary key (network, asset),
  constraint difference_of_the_terms check (difference = (on_chain - (owed + unclaimed + awaited - early - departed + ahead + opening - claimed))),
  constraint reconciliations_check check (claimed >= 0::numeric and claimed <= opening),
  constraint reconciliations_opening_check check (opening >= 0::numeric)
);

create table refund_entries (
  id             text not null,
  refund_of      text not null,
  card_id        text not null,
  wallet_address text not null,
  direction      text not null,
  amount         numeric(78,0) not null,
  refunded       numeric(78,0) not null,
  fee_kept       numeric(78,0) not null,
  merchant       text not null,
  protocol       text not null,
  network        text not null,
  asset          text not null,
  ref            text not null,
  memo           text not null,
  created_at     timestamptz not null,
  constraint refund_entries_pkey primary key (id),
  constraint one_entry_from_each_standing unique (refund_of, refunded),
  constraint refund_entries_amount_check check (amount > 0::numeric),
  constraint refund_entries_check check (refunded >= amount),
  constraint refund_entries_direction_check check (direction = any (array['sent'::text, 'received'::text])),
  constraint refund_entries_fee_kept_check check (fee_kept >= 0::numeric),
  constraint refund_entries_id_check check (id ~~ 'txn\_%'::text),
  constraint refund_entries_protocol_check check (is_rail(protocol))
);
create index refund_entries_by_card on refund_entries (card_id, id desc);
create index refund_entries_by_wallet on refund_entries (wallet_address, id desc);
create trigger insert_only before delete or update or truncate on refund_entries for each statement execute function refuse_change();

create table registered_tokens (
  id             text not null,
  wallet_address text not null,
  network        text not null,
  address        text not null,
  symbol         text not null,
  name           text not null,
  decimals       integer not null,
  type           text not null,
  status         text default 'ACTIVE'::text not null,
  safety         jsonb not null,
  created_at     timestamptz not null,
  checked_at     timestamptz not null,
  removed_at     timestamptz,
  constraint registered_tokens_pkey primary key (id),
  constraint registered_tokens_check check ((status = 'REMOVED'::text) = (removed_at is not null)),
  constraint registered_tokens_decimals_check check (decimals >= 0 and decimals <= 36),
  constraint registered_tokens_id_check check (id ~~ 'tkn\_%'::text),
  constraint registered_tokens_name_check check (length(name) >= 1 and length(name) <= 100 and name !~ '[[:cntrl:]]'::text),
  constraint registered_tokens_status_check check (status = any (array['ACTIVE'::text, 'REMOVED'::text])),
  constraint registered_tokens_symbol_check check (length(symbol) >= 1 and length(symbol) <= 32 and symbol !~ '[[:cntrl:]]'::text),
  constraint registered_tokens_type_check check (type = any (array['ERC20'::text, 'B20'::text]))
);
create unique index one_registration_per_token on registered_tokens (wallet_address, network, address) where status = 'ACTIVE'::text;
create index registered_tokens_by_address on registered_tokens (network, address) where status = 'ACTIVE'::text;
create index registered_tokens_by_wallet on registered_tokens (wallet_address, id desc) where status = 'ACTIVE'::text;
create trigger keep_registered_token before update on registered_tokens for each row execute function keep_registered_token();
create trigger no_delete before delete or truncate on registered_tokens for each statement execute function refuse_change();

create table replaced_secrets (
  mark        text not null,
  replaced_at timestamptz not null,
  kept        bytea not null,
  retired_at  timestamptz,
  constraint replaced_secrets_pkey primary key (mark),
  constraint replaced_secrets_mark_check check (mark ~ '^[0-9a-f]{64}$'::text)
);
create trigger no_delete before delete or truncate on replaced_secrets for each statement execute function refuse_change();

create table request_log (
  wallet_address  text not null,
  request_id      text not null,
  credential_hash text not null,
  way             text not null,
  method          text not null,
  route           text not null,
  path            text not null,
  status          smallint not null,
  code            text,
  ms              integer not null,
  created_at      timestamptz not null,
  constraint request_log_pkey primary key (wallet_address, request_id),
  constraint request_log_path_check check (length(path) <= 500),
  constraint request_log_way_check check (way = any (array['session'::text, 'key'::text]))
);

create table request_signing_keys (
  kid        text not null,
  jwk        jsonb not null,
  sealed     bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz,
  revoked_at timestamptz,
  constraint request_signing_keys_pkey primary key (kid),
  constraint a_revoked_key_is_retired check (revoked_at is null or retired_at is not null)
);
create unique index one_key_signs_requests on request_signing_keys ((true)) where retired_at is null;
create trigger no_delete before delete or truncate on request_signing_keys for each statement execute function refuse_change();

create table restored_backup (
  digest      text not null,
  rows        bigint not null,
  restored_at timestamptz default now() not null,
  constraint restored_backup_pkey primary key (digest),
  constraint restored_backup_digest_check check (digest ~ '^[0-9a-f]{64}$'::text),
  constraint restored_backup_rows_check check (rows >= 0)
);

create table sales (
  listing_id  text not null,
  card_id     text not null,
  seller      text not null,
  buyer       text not null,
  price       numeric(78,0) not null,
  fee         numeric(78,0) not null,
  mode        text not null,
  state       text not null,
  transfer_id text,
  send_ref    text,
  created_at  timestamptz not null,
  ended_at    timestamptz,
  constraint sales_pkey primary key (listing_id),
  constraint sales_transfer_id_key unique (transfer_id),
  constraint sales_card_id_fkey foreign key (card_id) references cards(id),
  constraint sales_listing_id_fkey foreign key (listing_id) references listings(id),
  constraint sales_transfer_id_fkey foreign key (transfer_id) references ledger_transfer_rows(id),
  constraint custodial_sale_is_paid check ((mode = 'custodial'::text) = (transfer_id is not null) and (mode = 'onchain'::text or state = 'done'::text)),
  constraint sale_ended_once check ((state = any (array['done'::text, 'undone'::text])) = (ended_at is not null)),
  constraint sales_check check (buyer <> seller),
  constraint sales_check1 check (fee >= 0::numeric and fee <= price),
  constraint sales_mode_check check (mode = any (array['custodial'::text, 'onchain'::text])),
  constraint sales_price_check check (price > 0::numeric),
  constraint sales_state_check check (state = any (array['frozen'::text, 'relayed'::text, 'done'::text, 'undone'::text]))
);
create index sales_under_way on sales (created_at) where state = any (array['frozen'::text, 'relayed'::text]);
create trigger no_delete before delete or truncate on sales for each statement execute function refuse_change();

create table seal_queue (
  seq     bigint generated always as identity not null,
  subject text not null,
  digest  bytea not null,
  constraint seal_queue_pkey primary key (seq),
  constraint seal_queue_digest_check check (length(digest) = 32)
);
create index seal_queue_by_subject on seal_queue (subject, seq);

create table seals (
  seq     bigint not null,
  subject text not null,
  digest  bytea not null,
  constraint seals_pkey primary key (seq),
  constraint seals_digest_check check (length(digest) = 32),
  constraint seals_seq_check check (seq > 0)
);
create index seals_by_subject on seals (subject, seq);
create trigger insert_only before delete or update or truncate on seals for each statement execute function refuse_change();

create table service_settings (
  name     text not null,
  value    text not null,
  noted_at timestamptz not null,
  constraint service_settings_pkey primary key (name),
  constraint service_settings_name_check check (name ~ '^[A-Z][A-Z_]*$'::text)
);

create table service_signing_keys (
  kid        text not null,
  jwk        jsonb not null,
  sealed     bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz,
  revoked_at timestamptz,
  constraint service_signing_keys_pkey primary key (kid),
  constraint a_revoked_key_is_retired check (revoked_at is null or retired_at is not null)
);
create unique index one_key_signs on service_signing_keys ((true)) where retired_at is null;
create trigger no_delete before delete or truncate on service_signing_keys for each statement execute function refuse_change();

create table session_streams (
  wallet_address text not null,
  slot           smallint not null,
  id             text not null,
  until          timestamptz not null,
  constraint session_streams_pkey primary key (wallet_address, slot),
  constraint session_streams_id_key unique (id),
  constraint session_streams_slot_check check (slot >= 1 and slot <= 20)
);

create table sessions (
  hash           bytea not null,
  id             text not null,
  nonce          text not null,
  wallet_address text not null,
  place          smallint not null,
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  device         text,
  constraint sessions_pkey primary key (hash),
  constraint one_session_per_challenge unique (nonce),
  constraint one_session_per_place unique (wallet_address, place),
  constraint sessions_by_id unique (id),
  constraint a_device_is_short check (char_length(device) <= 200) not valid,
  constraint sessions_check check (expires_at > created_at),
  constraint sessions_hash_check check (length(hash) = 32),
  constraint sessions_wallet_address_check check (wallet_address ~ '^0x[0-9a-fA-F]{40}$'::text),
  constraint twenty_sessions_at_most check (place >= 1 and place <= 20)
);
create index sessions_by_expiry on sessions (expires_at);
create index sessions_by_wallet on sessions (wallet_address);
create trigger names_a_person before insert on sessions for each row when (is_system_address(new.wallet_address)) execute function refuse_system_address();

create table settled_authorizations (
  network       text not null,
  asset         text not null,
  payer         text not null,
  auth_nonce    text not null,
  settlement_id text not null,
  constraint one_use_per_authorization primary key (network, asset, payer, auth_nonce)
);
create trigger insert_only before delete or update or truncate on settled_authorizations for each statement execute function refuse_change();

create table settlement_confirmations (
  settlement_id    text not null,
  valid_before     numeric(78,0) not null,
  signature_digest bytea,
  state            text default 'waiting'::text not null,
  created_at       timestamptz not null,
  constraint settlement_confirmations_pkey primary key (settlement_id),
  constraint settlement_confirmations_signature_digest_check check (length(signature_digest) = 32),
  constraint settlement_confirmations_state_check check (state = any (array['waiting'::text, 'final'::text, 'missing'::text]))
);
create index settlement_confirmations_open on settlement_confirmations (created_at) where state <> 'final'::text;
create constraint trigger names_a_settlement after insert or update of settlement_id on settlement_confirmations not deferrable initially immediate for each row when (new.settlement_id is not null) execute function names_a_settlement();

create table settlements (
  id               text not null,
  pay_link_id      text,
  receiver_card_id text,
  receiver_wallet  text,
  house_account    text,
  protocol         text not null,
  payer            text not null,
  payer_wallet     text,
  amount           numeric(78,0) not null,
  fee              numeric(78,0) not null,
  refunded         numeric(78,0) default 0 not null,
  network          text not null,
  asset            text not null,
  decimals         smallint,
  state            text not null,
  reason           text,
  agreement_id     text,
  mandate_id       text,
  mandate_currency text,
  mandate_amount   bigint,
  open_id          text,
  mandate          bytea storage external,
  decided_on       json,
  auth_nonce       text,
  from_block       bigint,
  tx_hash          text,
  is_swept         boolean default true not null,
  created_at       timestamptz not null,
  settled_at       timestamptz,
  xid              bigint,
  seq              bigint,
  payer_account    bigint,
  receiver_account bigint,
  fees_account     bigint,
  batch            bigint,
  digest           bytea,
  constraint settlements_pkey primary key (id),
  constraint one_payee check (
case
    when pay_link_id is not null then house_account is null and (receiver_card_id is null) = (receiver_wallet is null)
    when house_account is not null then receiver_card_id is null and receiver_wallet is null and fee = 0::numeric
    else receiver_card_id is null and receiver_wallet is not null
end),
  constraint refunded_within_amount check (refunded >= 0::numeric and refunded <= (amount - fee)),
  constraint settled_amounts check (fee <= amount),
  constraint settlements_amount_check check (amount > 0::numeric),
  constraint settlements_check check ((state = 'settled'::text) = (settled_at is not null)),
  constraint settlements_digest_check check (length(digest) = 32),
  constraint settlements_fee_check check (fee >= 0::numeric),
  constraint settlements_house_account_check check (house_account = any (array['fees'::text, 'membership_revenue'::text, 'fee_meter'::text])),
  constraint settlements_id_check check (id ~~ 'stl\_%'::text),
  constraint settlements_mandate_amount_check check (mandate_amount > 0),
  constraint settlements_state_check check (state = any (array['settling'::text, 'settled'::text, 'failed'::text])),
  constraint whole_mandate check ((mandate_id is null) = (mandate is null) and (mandate_id is null) = (mandate_currency is null) and (mandate_id is null) = (mandate_amount is null) and (mandate_id is not null or open_id is null)),
  constraint whole_where_by_card check ((payer_wallet is null) = (decided_on is null) and (payer_wallet is null) = (xid is null) and (xid is null) = (seq is null) and (payer_wallet is null) = (decimals is null) and (payer_wallet is null) = (batch is null) and (batch is null) = (digest is null) and (batch is null) = (payer_account is null) and (batch is null) = (receiver_account is null) and (fees_account is null) = (batch is null or fee = 0::numeric) and (payer_wallet is null) = (pay_link_id is not null and receiver_wallet is null) and (payer_wallet is null or state = 'settled'::text and settled_at = created_at and is_card_rail(protocol) and reason is null and auth_nonce is null and from_block is null and tx_hash is null and is_swept) and (mandate_id is null or protocol = 'ap2'::text))
) partition by range (id);
create index settlements_by_amount_received on only settlements (number_of_amount(receiver_wallet, amount - fee), id) where receiver_wallet is not null;
create index settlements_by_amount_sent on only settlements (number_of_amount(payer_wallet, amount), id) where payer_wallet is not null;
create index settlements_by_batch on only settlements (batch) where batch is not null;
create index settlements_by_link on only settlements (number_of(pay_link_id), id) where pay_link_id is not null;
create index settlements_by_payer on only settlements (number_of(payer), id);
create index settlements_by_payer_wallet on only settlements (number_of(payer_wallet), id) where payer_wallet is not null;
create index settlements_by_receiver on only settlements (number_of(receiver_card_id), id) where receiver_card_id is not null;
create index settlements_by_receiver_wallet on only settlements (number_of(receiver_wallet), id) where receiver_wallet is not null;
create index settlements_of_events on only settlements (xid, seq) where xid is not null;
create index settlements_of_events_received on only settlements (number_of(receiver_wallet), xid, seq) where xid is not null and receiver_wallet is not null;
create index settlements_of_events_sent on only settlements (number_of(payer_wallet), xid, seq) where xid is not null;
create index settlements_on_chain on only settlements (settled_at) where tx_hash is not null;
create index settlements_settling on only settlements (created_at) where state = 'settling'::text;
create index settlements_settling_by_link on only settlements (pay_link_id) where state = 'settling'::text;
create index settlements_unswept on only settlements (pay_link_id) where not is_swept;
create trigger are_paid_once after insert on settlements referencing new table as added for each statement execute function are_paid_once();
create trigger count_grant_uses after insert on settlements referencing new table as added for each statement execute function count_grant_uses();
create trigger facts_stay before update on settlements for each row when (old.id is distinct from new.id or old.pay_link_id is distinct from new.pay_link_id or old.payer is distinct from new.payer or old.amount is distinct from new.amount or old.fee is distinct from new.fee or old.created_at is distinct from new.created_at or old.payer_wallet is distinct from new.payer_wallet or old.receiver_card_id is distinct from new.receiver_card_id or old.receiver_wallet is distinct from new.receiver_wallet or old.house_account is distinct from new.house_account or old.agreement_id is distinct from new.agreement_id or old.mandate_id is distinct from new.mandate_id or old.mandate_currency is distinct from new.mandate_currency or old.mandate_amount is distinct from new.mandate_amount or old.open_id is distinct from new.open_id or old.mandate is distinct from new.mandate or old.decimals is distinct from new.decimals or old.xid is distinct from new.xid or old.seq is distinct from new.seq or old.payer_account is distinct from new.payer_account or old.receiver_account is distinct from new.receiver_account or old.fees_account is distinct from new.fees_account or old.batch is distinct from new.batch or old.digest is distinct from new.digest or old.auth_nonce is distinct from new.auth_nonce or old.decided_on::text is distinct from new.decided_on::text) execute function refuse_change();
create trigger names_a_person before insert on settlements for each row when (starts_with(new.payer, '0x'::text) and is_system_address(new.payer)) execute function refuse_system_address();
create trigger no_delete before delete or truncate on settlements for each statement execute function refuse_change();
create trigger settlement_parties after insert on settlements referencing new table as added for each statement execute function settlement_parties();
create trigger settlements_are_posted after insert on settlements referencing new table as added for each statement execute function post_settlements();

create table spending_caps (
  subject                 text not null,
  network                 text not null,
  asset                   text not null,
  hourly_limit            numeric(78,0),
  daily_limit             numeric(78,0),
  weekly_limit            numeric(78,0),
  monthly_limit           numeric(78,0),
  rolling_limit           numeric(78,0),
  max_payments_per_minute integer,
  hour                    text not null,
  hour_used               numeric(78,0) not null,
  day                     text not null,
  day_used                numeric(78,0) not null,
  week                    text not null,
  week_used               numeric(78,0) not null,
  month                   text not null,
  month_used              numeric(78,0) not null,
  days                    numeric(78,0)[] not null,
  minute                  text default ''::text not null,
  minute_payments         integer default 0 not null,
  counted_to              text,
  former_cards            text[],
  constraint spending_caps_pkey primary key (subject),
  constraint spending_caps_daily_limit_check check (daily_limit > 0::numeric),
  constraint spending_caps_day_used_check check (day_used >= 0::numeric),
  constraint spending_caps_days_check check (cardinality(days) = 30 and (0::numeric <= all (days))),
  constraint spending_caps_hour_used_check check (hour_used >= 0::numeric),
  constraint spending_caps_hourly_limit_check check (hourly_limit > 0::numeric),
  constraint spending_caps_max_payments_per_minute_check check (max_payments_per_minute > 0),
  constraint spending_caps_minute_payments_check check (minute_payments >= 0),
  constraint spending_caps_month_used_check check (month_used >= 0::numeric),
  constraint spending_caps_monthly_limit_check check (monthly_limit > 0::numeric),
  constraint spending_caps_rolling_limit_check check (rolling_limit > 0::numeric),
  constraint spending_caps_subject_check check (subject ~ '^(0x[0-9a-fA-F]{40}|[0-9a-f]{64}|card_[0-9a-z]{26})$'::text),
  constraint spending_caps_week_used_check check (week_used >= 0::numeric),
  constraint spending_caps_weekly_limit_check check (weekly_limit > 0::numeric)
) with (fillfactor=70);
create trigger no_delete before delete or truncate on spending_caps for each statement execute function refuse_change();
create trigger note_seal after insert or update of subject, hourly_limit, daily_limit, weekly_limit, monthly_limit, rolling_limit, max_payments_per_minute on spending_caps for each row execute function note_seal('subject', 'subject', 'network', 'asset', 'hourly_limit', 'daily_limit', 'weekly_limit', 'monthly_limit', 'rolling_limit', 'max_payments_per_minute');
create trigger subjects_stay before update of subject, network, asset on spending_caps for each row when (old.subject is distinct from new.subject or old.network is distinct from new.network or old.asset is distinct from new.asset) execute function refuse_change();

create table spending_days (
  wallet_address text not null,
  network        text not null,
  asset          text not null,
  day            date not null,
  card_id        text not null,
  payments       bigint not null,
  spent          numeric(78,0) not null,
  returned       numeric(78,0) not null,
  constraint spending_days_pkey primary key (wallet_address, network, asset, day, card_id),
  constraint spending_days_payments_check check (payments >= 0),
  constraint spending_days_returned_check check (returned >= 0::numeric),
  constraint spending_days_spent_check check (spent >= 0::numeric)
) with (fillfactor=80);
create trigger add_changed_days_to_weeks after update on spending_days referencing old table as before new table as added for each statement execute function add_changed_days_to_weeks();
create trigger add_new_days_to_weeks after insert on spending_days referencing new table as added for each statement execute function add_new_days_to_weeks();

create table spending_weeks (
  wallet_address text not null,
  network        text not null,
  asset          text not null,
  week           date not null,
  card_id        text not null,
  payments       bigint not null,
  spent          numeric(78,0) not null,
  returned       numeric(78,0) not null,
  constraint spending_weeks_pkey primary key (wallet_address, network, asset, week, card_id),
  constraint spending_weeks_card_id_check check (card_id <> ''::text),
  constraint spending_weeks_payments_check check (payments >= 0),
  constraint spending_weeks_returned_check check (returned >= 0::numeric),
  constraint spending_weeks_spent_check check (spent >= 0::numeric),
  constraint spending_weeks_week_check check (extract(isodow from week) = 1::numeric)
) with (fillfactor=80);

create table stats_cursors (
  chain integer not null,
  seq   bigint default 0 not null,
  constraint stats_cursors_pkey primary key (chain),
  constraint stats_cursors_chain_fkey foreign key (chain) references ledger_chains(id),
  constraint stats_cursors_seq_check check (seq >= 0)
);
create trigger only_forward before update on stats_cursors for each row execute function only_forward();

create table stats_progress (
  is_one  boolean default true not null,
  batches numeric(78,0) default 0 not null,
  facts   bigint default 0 not null,
  block   bigint,
  at      timestamptz,
  constraint stats_progress_pkey primary key (is_one),
  constraint stats_progress_is_one_check check (is_one)
);

create table stats_queue (
  seq  bigint generated always as identity not null,
  kind text not null,
  ref  text not null,
  constraint stats_queue_pkey primary key (seq),
  constraint stats_queue_kind_check check (kind = any (array['direct'::text, 'direct_missing'::text, 'exception'::text]))
);

create table verified_pages (
  checkpoint bigint not null,
  tally      text not null,
  page       integer not null,
  content    text not null,
  constraint verified_pages_pkey primary key (checkpoint, tally, page)
);

create table verified_states (
  checkpoint     bigint not null,
  checkpoint_mac bytea not null,
  shape          bytea not null,
  transfers      bigint not null,
  lines          bigint not null,
  digest         bytea not null,
  key_id         text not null,
  mac            bytea not null,
  constraint verified_states_pkey primary key (checkpoint),
  constraint verified_states_checkpoint_mac_check check (length(checkpoint_mac) = 32),
  constraint verified_states_digest_check check (length(digest) = 32),
  constraint verified_states_lines_check check (lines >= 0),
  constraint verified_states_mac_check check (length(mac) = 32),
  constraint verified_states_shape_check check (length(shape) = 32),
  constraint verified_states_transfers_check check (transfers >= 0)
);

create table vesting_streams (
  card_id    text not null,
  network    text not null,
  contract   text not null,
  stream_id  numeric(78,0) not null,
  tx_hash    text not null,
  alias      text,
  recipient  text not null,
  amount     numeric(78,0) not null,
  keep_bps   integer not null,
  starts_at  timestamptz not null,
  ends_at    timestamptz not null,
  created_at timestamptz not null,
  constraint vesting_streams_pkey primary key (card_id),
  constraint one_card_per_stream unique (network, contract, stream_id),
  constraint vesting_streams_card_id_fkey foreign key (card_id) references crt_markets(card_id),
  constraint vesting_streams_amount_check check (amount > 0::numeric),
  constraint vesting_streams_check check (ends_at > starts_at)
);
create trigger insert_only before delete or update or truncate on vesting_streams for each statement execute function refuse_change();

create table wallet_payments (
  from_wallet text not null,
  to_wallet   text not null,
  constraint wallet_payments_pkey primary key (from_wallet, to_wallet)
);

create table watch_cursors (
  network     text not null,
  first_block bigint not null,
  block       bigint not null,
  version     bigint default 0 not null,
  latest      bigint,
  safe        bigint,
  finalized   bigint,
  behind_from bigint,
  constraint watch_cursors_pkey primary key (network),
  constraint watch_cursors_check check (block >= (first_block - 1)),
  constraint watch_cursors_first_block_check check (first_block >= 0)
);

create table watched_transfers (
  network      text not null,
  asset        text not null,
  tx_hash      text not null,
  log_index    integer not null,
  block_number bigint not null,
  block_hash   text not null,
  from_address text not null,
  to_address   text not null,
  amount       numeric(78,0) not null,
  state        text not null,
  seen_at      timestamptz not null,
  constraint watched_transfers_pkey primary key (network, tx_hash, log_index),
  constraint watched_transfers_amount_check check (amount > 0::numeric),
  constraint watched_transfers_block_hash_check check (block_hash ~ '^0x[0-9a-f]{64}$'::text),
  constraint watched_transfers_log_index_check check (log_index >= 0),
  constraint watched_transfers_state_check check (state = any (array['seen'::text, 'orphaned'::text, 'credited'::text, 'passed_on'::text, 'own'::text, 'pulled'::text, 'unclaimed'::text, 'alarm'::text])),
  constraint watched_transfers_tx_hash_check check (tx_hash ~ '^0x[0-9a-f]{64}$'::text)
);
create index watched_transfers_by_block on watched_transfers (network, block_number);
create index watched_transfers_by_payee on watched_transfers (network, to_address) where state = any (array['seen'::text, 'passed_on'::text]);
create index watched_transfers_open on watched_transfers (network, state) where state = any (array['seen'::text, 'passed_on'::text, 'unclaimed'::text, 'alarm'::text]);
create trigger has_a_depositor before insert on watched_transfers for each row when ((new.state = any (array['credited'::text, 'passed_on'::text])) and is_system_address(new.from_address)) execute function refuse_system_address();
create trigger keep_watched_transfer before update on watched_transfers for each row execute function keep_watched_transfer();
create trigger keeps_a_depositor before update on watched_transfers for each row when ((new.state = any (array['credited'::text, 'passed_on'::text])) and new.state is distinct from old.state and is_system_address(new.from_address)) execute function refuse_system_address();

create table webhook_deliveries (
  webhook_id     text not null,
  event_id       text not null,
  wallet_address text not null,
  seq            bigint not null,
  subject        text not null,
  status         text default 'PENDING'::text not null,
  status_code    smallint,
  attempts       integer default 0 not null,
  step           smallint default 0 not null,
  url            text not null,
  next_at        timestamptz,
  sending_until  timestamptz,
  response_head  text,
  error          text,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  constraint webhook_deliveries_pkey primary key (webhook_id, event_id),
  constraint webhook_deliveries_attempts_check check (attempts >= 0),
  constraint webhook_deliveries_check check ((status = any (array['PENDING'::text, 'FAILED'::text])) = (next_at is not null)),
  constraint webhook_deliveries_error_check check (length(error) <= 500),
  constraint webhook_deliveries_response_head_check check (length(response_head) <= 1024),
  constraint webhook_deliveries_status_check check (status = any (array['PENDING'::text, 'DELIVERED'::text, 'FAILED'::text, 'EXHAUSTED'::text])),
  constraint webhook_deliveries_status_code_check check (status_code >= 0 and status_code <= 999),
  constraint webhook_deliveries_step_check check (step >= 0 and step <= 10)
);
create index webhook_deliveries_by_wallet on webhook_deliveries (wallet_address, created_at desc, webhook_id, event_id);
create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, created_at desc, event_id);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_at, seq) where next_at is not null;
create trigger no_delete before delete on webhook_deliveries for each statement execute function refuse_change();
create trigger no_truncate before truncate on webhook_deliveries for each statement execute function refuse_change();
create trigger tally_changed after update on webhook_deliveries referencing old table as old_rows new table as new_rows for each statement execute function tally_changed_deliveries();
create trigger tally_new after insert on webhook_deliveries referencing new table as new_rows for each statement execute function tally_new_deliveries();

create table webhook_hosts (
  name      text not null,
  proven_at timestamptz,
  next_at   timestamptz not null,
  constraint webhook_hosts_pkey primary key (name)
);

create table webhook_payloads (
  event_id   text not null,
  body       bytea not null,
  created_at timestamptz not null,
  constraint webhook_payloads_pkey primary key (event_id),
  constraint webhook_payloads_event_id_check check (event_id ~~ 'evt\_%'::text)
);
create index webhook_payloads_by_age on webhook_payloads using brin (created_at);

create table webhook_senders (
  id      text not null,
  seen_at timestamptz default now() not null,
  constraint webhook_senders_pkey primary key (id)
);

create table webhook_tallies (
  webhook_id text not null,
  status     text not null,
  count      bigint not null,
  constraint webhook_tallies_pkey primary key (webhook_id, status),
  constraint webhook_tallies_webhook_id_fkey foreign key (webhook_id) references webhooks(id),
  constraint webhook_tallies_count_check check (count >= 0)
);

create table webhooks (
  id              text not null,
  wallet_address  text not null,
  slot            smallint not null,
  url             text not null,
  host            text not null,
  description     text,
  events          text[],
  status          text default 'ACTIVE'::text not null,
  disabled_reason text,
  disabled_at     timestamptz,
  secret          bytea not null,
  previous_secret bytea,
  previous_until  timestamptz,
  active_xid      bigint default event_xid() not null,
  failures        integer default 0 not null,
  failing_since   timestamptz,
  breaker_until   timestamptz,
  breaker_step    smallint default 0 not null,
  due_at          timestamptz,
  sender          text,
  created_at      timestamptz not null,
  deleted_at      timestamptz,
  constraint webhooks_pkey primary key (id),
  constraint webhooks_sender_fkey foreign key (sender) references webhook_senders(id) on delete set null,
  constraint webhooks_breaker_step_check check (breaker_step >= 0),
  constraint webhooks_check check ((status = 'DISABLED'::text) = (disabled_reason is not null)),
  constraint webhooks_check1 check ((status = 'DISABLED'::text) = (disabled_at is not null)),
  constraint webhooks_check2 check ((failures = 0) = (failing_since is null)),
  constraint webhooks_check3 check ((previous_secret is null) = (previous_until is null)),
  constraint webhooks_check4 check (deleted_at is null or status = 'DISABLED'::text),
  constraint webhooks_description_check check (length(description) <= 500),
  constraint webhooks_disabled_reason_check check (disabled_reason = any (array['owner'::text, 'gone'::text, 'failing'::text])),
  constraint webhooks_events_check check (cardinality(events) > 0),
  constraint webhooks_failures_check check (failures >= 0),
  constraint webhooks_id_check check (id ~~ 'wh\_%'::text),
  constraint webhooks_slot_check check (slot >= 1 and slot <= 5),
  constraint webhooks_status_check check (status = any (array['ACTIVE'::text, 'DISABLED'::text])),
  constraint webhooks_url_check check (length(url) <= 2048)
);
create unique index five_active_webhooks on webhooks (wallet_address, slot) where status = 'ACTIVE'::text;
create index webhooks_by_host on webhooks (host) where due_at is not null;
create index webhooks_by_sender on webhooks (sender) where sender is not null;
create index webhooks_by_wallet on webhooks (wallet_address, created_at desc, id desc) where deleted_at is null;
create index webhooks_due on webhooks (due_at) where due_at is not null and sender is null;
create trigger no_delete before delete on webhooks for each statement execute function refuse_change();
create trigger no_truncate before truncate on webhooks for each statement execute function refuse_change();

create table withdrawal_requests (
  id             text not null,
  wallet_address text not null,
  network        text not null,
  asset          text not null,
  amount         numeric(78,0) not null,
  fee            numeric(78,0) not null,
  to_address     text not null,
  nonce          text not null,
  intent         bytea,
  hold_id        text not null,
  wallet_cap     numeric(78,0),
  treasury_cap   numeric(78,0),
  counted_at     timestamptz,
  state          text default 'pending'::text not null,
  note           text,
  created_at     timestamptz not null,
  decided_at     timestamptz,
  constraint withdrawal_requests_pkey primary key (id),
  constraint withdrawal_requests_hold_id_key unique (hold_id),
  constraint withdrawal_requests_nonce_key unique (nonce),
  constraint withdrawal_requests_hold_id_fkey foreign key (hold_id) references ledger_holds(id),
  constraint withdrawal_requests_amount_check check (amount > 0::numeric),
  constraint withdrawal_requests_check check (fee >= 0::numeric and fee < amount),
  constraint withdrawal_requests_check1 check ((state = 'pending'::text) = (decided_at is null)),
  constraint withdrawal_requests_check2 check ((state = 'pending'::text) = (note is null)),
  constraint withdrawal_requests_id_check check (id ~~ 'wd\_%'::text),
  constraint withdrawal_requests_intent_check check (length(intent) = 32),
  constraint withdrawal_requests_nonce_check check (nonce ~ '^0x[0-9a-f]{64}$'::text),
  constraint withdrawal_requests_note_check check (length(note) >= 1 and length(note) <= 500),
  constraint withdrawal_requests_state_check check (state = any (array['pending'::text, 'approved'::text, 'begun'::text, 'rejected'::text])),
  constraint withdrawal_requests_to_address_check check (to_address ~ '^0x[0-9a-fA-F]{40}$'::text)
);
create index withdrawal_requests_by_intent on withdrawal_requests (intent) where intent is not null;
create index withdrawal_requests_by_wallet on withdrawal_requests (wallet_address, id desc);
create index withdrawal_requests_open on withdrawal_requests (network, asset, counted_at) where state = any (array['pending'::text, 'approved'::text]);
create trigger keep_payout_caps before insert on withdrawal_requests for each row execute function keep_payout_caps();
create trigger keep_withdrawal_request before update on withdrawal_requests for each row execute function keep_withdrawal_request();
create trigger names_a_person before insert on withdrawal_requests for each row when (is_system_address(new.to_address) or is_system_address(new.wallet_address)) execute function refuse_system_address();
create trigger no_delete before delete or truncate on withdrawal_requests for each statement execute function refuse_change();

create table withdrawals (
  id             text not null,
  wallet_address text not null,
  network        text not null,
  asset          text not null,
  amount         numeric(78,0) not null,
  fee            numeric(78,0) not null,
  net_amount     numeric(78,0) not null,
  mechanism      text default 'eip3009'::text not null,
  from_address   text not null,
  to_address     text not null,
  nonce          text not null,
  valid_before   bigint not null,
  signature      text not null,
  intent         bytea,
  from_block     bigint not null,
  sends          integer default 1 not null,
  status         text default 'PROCESSING'::text not null,
  reason         text,
  tx_hash        text,
  created_at     timestamptz not null,
  ended_at       timestamptz,
  wallet_cap     numeric(78,0),
  treasury_cap   numeric(78,0),
  counted_at     timestamptz,
  address_delay  integer,
  constraint withdrawals_pkey primary key (id),
  constraint withdrawals_nonce_key unique (nonce),
  constraint withdrawals_check check (amount = (net_amount + fee)),
  constraint withdrawals_check1 check (to_address <> from_address),
  constraint withdrawals_check2 check ((status = 'PROCESSING'::text) = (ended_at is null)),
  constraint withdrawals_check3 check ((status = 'COMPLETED'::text) = (tx_hash is not null)),
  constraint withdrawals_check4 check (status <> 'COMPLETED'::text or reason is null),
  constraint withdrawals_check5 check (status <> 'FAILED'::text or reason is not null),
  constraint withdrawals_fee_check check (fee >= 0::numeric),
  constraint withdrawals_from_address_check check (from_address ~ '^0x[0-9a-fA-F]{40}$'::text),
  constraint withdrawals_id_check check (id ~~ 'wd\_%'::text),
  constraint withdrawals_intent_check check (length(intent) = 32),
  constraint withdrawals_mechanism_check check (mechanism = any (array['eip3009'::text, 'permit2'::text])),
  constraint withdrawals_net_amount_check check (net_amount > 0::numeric),
  constraint withdrawals_nonce_check check (nonce ~ '^0x[0-9a-f]{64}$'::text),
  constraint withdrawals_sends_check check (sends >= 1),
  constraint withdrawals_signature_check check (signature ~ '^0x[0-9a-f]{130}$'::text),
  constraint withdrawals_status_check check (status = any (array['PROCESSING'::text, 'COMPLETED'::text, 'FAILED'::text])),
  constraint withdrawals_to_address_check check (to_address ~ '^0x[0-9a-fA-F]{40}$'::text),
  constraint withdrawals_tx_hash_check check (tx_hash ~ '^0x[0-9a-f]{64}$'::text)
);
create index withdrawals_by_intent on withdrawals (intent) where intent is not null;
create index withdrawals_by_wallet on withdrawals (wallet_address, id desc);
create index withdrawals_completed on withdrawals (ended_at) where status = 'COMPLETED'::text;
create index withdrawals_counted on withdrawals (network, asset, counted_at) include (wallet_address, amount) where status <> 'FAILED'::text and counted_at is not null;
create index withdrawals_open on withdrawals (created_at) where status = 'PROCESSING'::text;
create trigger keep_payout_address before insert on withdrawals for each row when (new.address_delay is not null and new.to_address <> new.wallet_address) execute function keep_payout_address();
create trigger keep_payout_caps before insert on withdrawals for each row execute function keep_payout_caps();
create trigger keep_payout_delay before update on withdrawals for each row when (old.address_delay is distinct from new.address_delay) execute function keep_payout_terms();
create trigger keep_payout_terms before update on withdrawals for each row when (old.wallet_cap is distinct from new.wallet_cap or old.treasury_cap is distinct from new.treasury_cap or old.counted_at is distinct from new.counted_at) execute function keep_payout_terms();
create trigger keep_withdrawal before update on withdrawals for each row execute function keep_withdrawal();
create trigger names_a_person before insert on withdrawals for each row when (is_system_address(new.to_address) or is_system_address(new.wallet_address)) execute function refuse_system_address();
create trigger no_delete before delete or truncate on withdrawals for each statement execute function refuse_change();

create table x402_escrow_orders (
  id             text not null,
  wallet_address text not null,
  payment_hash   text not null,
  type           text not null,
  payer          text not null,
  amount         numeric(78,0) not null,
  request_hash   bytea not null,
  resource_url   text,
  state          text default 'sending'::text not null,
  tx_hash        text,
  created_at     timestamptz not null,
  ended_at       timestamptz,
  constraint x402_escrow_orders_pkey primary key (id),
  constraint ended_with_a_transaction check ((state = 'sending'::text) = (ended_at is null) and (state = 'sending'::text or tx_hash is not null)),
  constraint x402_escrow_orders_amount_check check (amount >= 0::numeric),
  constraint x402_escrow_orders_id_check check (id ~~ 'eso\_%'::text),
  constraint x402_escrow_orders_state_check check (state = any (array['sending'::text, 'done'::text, 'failed'::text])),
  constraint x402_escrow_orders_type_check check (type = any (array['authorize'::text, 'capture'::text, 'void'::text, 'refund'::text]))
);
create unique index one_authorize on x402_escrow_orders (payment_hash) where type = 'authorize'::text and state <> 'failed'::text;
create unique index one_order_on_its_way on x402_escrow_orders (payment_hash) where state = 'sending'::text;
create unique index one_order_per_request on x402_escrow_orders (request_hash) where state <> 'failed'::text;

create table x402_looks (
  url            text not null,
  host           text not null,
  method         text not null,
  wallet_address text not null,
  pay_to         text not null,
  asked_at       timestamptz not null,
  looked_at      timestamptz,
  constraint x402_looks_pkey primary key (url),
  constraint x402_looks_method_check check (method = any (array['GET'::text, 'POST'::text])),
  constraint x402_looks_url_check check (length(url) <= 2048)
);
create index x402_looks_by_host on x402_looks (host);
create index x402_looks_by_wallet on x402_looks (wallet_address);
create index x402_looks_waiting on x402_looks (asked_at) where looked_at is null;

create table x402_resources (
  resource       text not null,
  url            text not null,
  method         text not null,
  wallet_address text not null,
  pay_to         text not null,
  type           text not null,
  x402_version   integer not null,
  accepts        jsonb not null,
  shown          jsonb not null,
  failures       integer default 0 not null,
  updated_at     timestamptz not null,
  constraint x402_resources_pkey primary key (resource),
  constraint x402_resources_failures_check check (failures >= 0),
  constraint x402_resources_method_check check (method = any (array['GET'::text, 'POST'::text])),
  constraint x402_resources_resource_check check (length(resource) <= 2048),
  constraint x402_resources_type_check check (type = any (array['http'::text, 'mcp'::text]))
);
create index x402_resources_by_url on x402_resources (url);
create index x402_resources_by_wallet on x402_resources (wallet_address);
create index x402_resources_newest on x402_resources (updated_at desc, resource);

create table x402_settlements (
  id                 text not null,
  wallet_address     text not null,
  network            text not null,
  token              text not null,
  payer              text not null,
  method             text default 'eip3009'::text not null,
  nonce              text not null,
  pay_to             text not null,
  amount             numeric(78,0) not null,
  valid_before       numeric(78,0) not null,
  from_block         bigint not null,
  x402_version       integer not null,
  payload_hash       bytea not null,
  payment_identifier text,
  idempotency_key    text,
  resource_url       text,
  listing            jsonb,
  state              text default 'settling'::text not null,
  reason             text,
  detail             text,
  tx_hash            text,
  log_index          integer,
  finality           text default 'waiting'::text not null,
  next_answer_at     timestamptz,
  created_at         timestamptz not null,
  ended_at           timestamptz,
  constraint x402_settlements_pkey primary key (id),
  constraint one_claim_per_authorization unique (network, token, payer, nonce),
  constraint a_failure_has_a_reason check ((state = 'failed'::text) = (reason is not null)),
  constraint ended_once check ((state = 'settling'::text) = (ended_at is null)),
  constraint reported_only_if_settled check (next_answer_at is not null or state = 'settled'::text),
  constraint settled_by_a_log check ((state = 'settled'::text) = (tx_hash is not null and log_index is not null)),
  constraint x402_settlements_amount_check check (amount > 0::numeric),
  constraint x402_settlements_finality_check check (finality = any (array['waiting'::text, 'final'::text, 'missing'::text])),
  constraint x402_settlements_from_block_check check (from_block >= 0),
  constraint x402_settlements_id_check check (id ~~ 'fst\_%'::text),
  constraint x402_settlements_method_check check (method = any (array['eip3009'::text, 'permit2'::text, 'upto'::text])),
  constraint x402_settlements_state_check check (state = any (array['settling'::text, 'settled'::text, 'failed'::text])),
  constraint x402_settlements_x402_version_check check (x402_version = any (array[1, 2]))
) with (fillfactor=80);
create unique index one_claim_per_permit on x402_settlements (network, payer, nonce) where method <> 'eip3009'::text;
create unique index one_payment_per_identifier on x402_settlements (wallet_address, payer, payment_identifier) where payment_identifier is not null;
create unique index one_settlement_per_transfer on x402_settlements (network, tx_hash, log_index) where tx_hash is not null;
create index x402_settlements_by_wallet on x402_settlements (wallet_address, id desc);
create index x402_settlements_of_payer on x402_settlements (wallet_address, payer, id) where state = 'settled'::text;
create index x402_settlements_settling on x402_settlements (created_at) where state = 'settling'::text;
create index x402_settlements_unconfirmed on x402_settlements (ended_at) where state = 'settled'::text and finality = 'waiting'::text;
create trigger give_claim_back after delete on x402_settlements for each row execute function give_claim_back();
create trigger keep_x402_settlement before delete or update on x402_settlements for each row execute function keep_x402_settlement();
create trigger names_a_person before insert on x402_settlements for each row when (is_system_address(new.payer) or is_system_address(new.pay_to)) execute function refuse_system_address();
create trigger no_address_of_link after insert on x402_settlements referencing new table as added for each statement execute function refuse_address_of_link();

create view ap2_mandates as
 select payer as card_id,
    mandate_id,
    id as settlement_id,
    payer_wallet,
    receiver_wallet,
    pay_link_id,
    mandate_currency as currency,
    mandate_amount as amount,
    fee,
    open_id,
    mandate as token,
    created_at
   from settlements
  where mandate_id is not null;

create view ap2_open_mandates_of_cards as
 select o.card_id,
    o.open_id,
    o.jti,
    o.issued_here,
    o.agent_kid,
    o.currency,
    o.budget_max,
    o.max_uses,
    o.spent,
    o.uses,
    o.first_at,
    o.last_at,
    o.expires_at,
    o.revoked_at,
    o.token,
    o.created_at
   from ap2_open_mandates o
  where o.owner_no = (( select c.owner_no
           from cards c
          where c.id = o.card_id))
union all
 select n.card_id,
    o.open_id,
    o.jti,
    o.issued_here,
    o.agent_kid,
    o.currency,
    o.budget_max,
    o.max_uses,
    o.spent,
    o.uses,
    o.first_at,
    o.last_at,
    o.expires_at,
    o.revoked_at,
    n.token,
    n.created_at
   from ap2_open_mandate_cards n
     join ap2_open_mandates o on o.open_id = n.open_id
  where n.owner_no = (( select c.owner_no
           from cards c
          where c.id = n.card_id));

create view card_decisions as
 select card_decision_rows.id,
    card_decision_rows.card_id,
    card_decision_rows.allowed,
    card_decision_rows.rule,
    card_decision_rows.amount,
    card_decision_rows.merchant,
    card_decision_rows.merchants,
    card_decision_rows.mcc,
    card_decision_rows.rail,
    card_decision_rows.inputs,
    card_decision_rows.ref,
    card_decision_rows.created_at,
    card_decision_rows.draft_id,
    card_decision_rows.draft_says
   from card_decision_rows
union all
 select card_settlement_decisions.id,
    card_settlement_decisions.card_id,
    card_settlement_decisions.allowed,
    card_settlement_decisions.rule,
    card_settlement_decisions.amount,
    card_settlement_decisions.merchant,
    card_settlement_decisions.merchants,
    card_settlement_decisions.mcc,
    card_settlement_decisions.rail,
    card_settlement_decisions.inputs,
    card_settlement_decisions.ref,
    card_settlement_decisions.created_at,
    card_settlement_decisions.draft_id,
    card_settlement_decisions.draft_says
   from card_settlement_decisions;

create view card_settlement_decisions as
 select 'dec_'::text || substr(s.id, 5) as id,
    s.payer as card_id,
    true as allowed,
    coalesce(s.decided_on #>> '{12,rule}'::text[], 'within_limits'::text) as rule,
    s.amount,
    coalesce(l.code, s.receiver_wallet, s.house_account) as merchant,
    array_remove(array[l.code, s.receiver_wallet, s.receiver_card_id, s.house_account], null::text) as merchants,
    s.decided_on #>> '{12,draft,0}'::text[] as draft_id,
    s.decided_on #>> '{12,draft,1}'::text[] as draft_says,
    s.decided_on ->> 0 as mcc,
    s.protocol as rail,
    (jsonb_build_object('status', 'ACTIVE', 'mcc', s.decided_on -> 0, 'expires_at', s.decided_on -> 1, 'single_use', s.decided_on -> 2, 'limit_amount', s.decided_on -> 3, 'spent', s.decided_on -> 4, 'held', s.decided_on -> 5, 'available', s.decided_on -> 6, 'max_transaction', s.decided_on -> 7, 'mcc_locks', s.decided_on -> 8, 'allowed_merchants', s.decided_on -> 9) || limit_inputs(s.decided_on)) || coalesce(((s.decided_on -> 12)::jsonb) - '{rule,draft}'::text[], '{}'::jsonb) as inputs,
    s.id as ref,
    s.created_at,
    s.payer_wallet
   from settlements s
     left join pay_links l on l.id = s.pay_link_id
  where s.payer_wallet is not null;

create view card_settlement_sides as
 select card_settlements_sent.settlement_id,
    card_settlements_sent.id,
    card_settlements_sent.card_id,
    card_settlements_sent.wallet_address,
    card_settlements_sent.direction,
    card_settlements_sent.amount,
    card_settlements_sent.fee,
    card_settlements_sent.merchant,
    card_settlements_sent.protocol,
    card_settlements_sent.status,
    card_settlements_sent.network,
    card_settlements_sent.asset,
    card_settlements_sent.token,
    card_settlements_sent.token_decimals,
    card_settlements_sent.tx_hash,
    card_settlements_sent.refunded,
    card_settlements_sent.ref,
    card_settlements_sent.memo,
    card_settlements_sent.created_at,
    card_settlements_sent.settled_at,
    card_settlements_sent.received_by
   from card_settlements_sent
union all
 select card_settlements_received.settlement_id,
    card_settlements_received.id,
    card_settlements_received.card_id,
    card_settlements_received.wallet_address,
    card_settlements_received.direction,
    card_settlements_received.amount,
    card_settlements_received.fee,
    card_settlements_received.merchant,
    card_settlements_received.protocol,
    card_settlements_received.status,
    card_settlements_received.network,
    card_settlements_received.asset,
    card_settlements_received.token,
    card_settlements_received.token_decimals,
    card_settlements_received.tx_hash,
    card_settlements_received.refunded,
    card_settlements_received.ref,
    card_settlements_received.memo,
    card_settlements_received.created_at,
    card_settlements_received.settled_at,
    card_settlements_received.received_by
   from card_settlements_received;

create view card_settlements_received as
 select s.id as settlement_id,
    'txn_'::text || other_side(substr(s.id, 5)) as id,
    s.receiver_card_id as card_id,
    c.wallet_address,
    'received'::text as direction,
    s.amount - s.fee as amount,
    s.fee,
    s.payer_wallet as merchant,
    s.protocol,
        case
            when s.refunded > 0::numeric and s.refunded = (s.amount - s.fee) then 'REFUNDED'::text
            else 'SETTLED'::text
        end as status,
    s.network,
    s.asset,
    null::text as token,
    null::integer as token_decimals,
    s.tx_hash,
    s.refunded,
    s.id as ref,
    l.memo,
    s.created_at,
    s.settled_at,
    s.receiver_wallet as received_by
   from settlements s
     join pay_links l on l.id = s.pay_link_id
     join cards c on c.id = s.receiver_card_id
  where s.receiver_wallet is not null and s.receiver_card_id is not null;

create view card_settlements_sent as
 select s.id as settlement_id,
    'txn_'::text || substr(s.id, 5) as id,
    s.payer as card_id,
    s.payer_wallet as wallet_address,
    'sent'::text as direction,
    s.amount,
    0::numeric(78,0) as fee,
    coalesce(l.code, s.receiver_wallet, s.house_account) as merchant,
    s.protocol,
        case
            when s.refunded > 0::numeric and s.refunded = (s.amount - s.fee) then 'REFUNDED'::text
            else 'SETTLED'::text
        end as status,
    s.network,
    s.asset,
    null::text as token,
    null::integer as token_decimals,
    s.tx_hash,
    s.refunded,
    s.id as ref,
    coalesce(l.memo, ''::text) as memo,
    s.created_at,
    s.settled_at,
    null::text as received_by
   from settlements s
     left join pay_links l on l.id = s.pay_link_id
  where s.payer_wallet is not null;

create view card_spending as
 select cards.wallet_address,
    cards.network,
    cards.asset,
    cards.spent
   from cards
union all
 select h.from_wallet as wallet_address,
    c.network,
    c.asset,
    h.spent
   from card_handovers h
     join cards c on c.id = h.card_id
union all
 select h.to_wallet as wallet_address,
    c.network,
    c.asset,
    - h.spent as spent
   from card_handovers h
     join cards c on c.id = h.card_id
union all
 select a.owner as wallet_address,
    a.network,
    a.asset,
    - t.gained as spent
   from ledger_accounts a
     join ledger_totals t on t.account_id = a.id
  where a.kind = 'treasury'::text and (t.kind = any (array['refund'::text, 'payment_undone'::text]));

create view card_transactions as
 select r.id,
    r.card_id,
        case
            when r.direction = 'received'::text then c.wallet_address
            else r.wallet_address
        end as wallet_address,
    r.direction,
    r.amount,
    r.fee,
    r.merchant,
    r.protocol,
    r.status,
    r.network,
    r.asset,
    r.token,
    r.token_decimals,
    r.tx_hash,
    r.refunded,
    r.ref,
    r.memo,
    r.created_at,
    r.settled_at
   from card_transaction_rows r
     join cards c on c.id = r.card_id
union all
 select card_settlement_sides.id,
    card_settlement_sides.card_id,
    card_settlement_sides.wallet_address,
    card_settlement_sides.direction,
    card_settlement_sides.amount,
    card_settlement_sides.fee,
    card_settlement_sides.merchant,
    card_settlement_sides.protocol,
    card_settlement_sides.status,
    card_settlement_sides.network,
    card_settlement_sides.asset,
    card_settlement_sides.token,
    card_settlement_sides.token_decimals,
    card_settlement_sides.tx_hash,
    card_settlement_sides.refunded,
    card_settlement_sides.ref,
    card_settlement_sides.memo,
    card_settlement_sides.created_at,
    card_settlement_sides.settled_at
   from card_settlement_sides;

create view incoming_payments as
 select s.id as ref,
    null::text as transaction_id,
    s.receiver_card_id as card_id,
    s.receiver_wallet as wallet,
    s.payer_wallet as payer,
    false as is_from_chain,
    s.amount,
    s.refunded,
    s.protocol,
    s.network,
    s.asset,
    null::text as token,
    true as is_settled,
    s.settled_at
   from settlements s
  where s.receiver_card_id is not null and s.amount <> s.fee
union all
 select r.ref,
    r.id as transaction_id,
    r.card_id,
    r.wallet_address as wallet,
    coalesce(p.wallet_address, c.wallet_address, r.merchant) as payer,
    p.wallet_address is null and c.wallet_address is null as is_from_chain,
    r.amount + r.fee as amount,
    r.refunded,
    r.protocol,
    r.network,
    r.asset,
    r.token,
    r.status <> 'FAILED'::text as is_settled,
    r.settled_at
   from card_transaction_rows r
     left join lateral ( select s.wallet_address
           from card_transaction_rows s
          where s.ref = r.ref and s.direction = 'sent'::text
         limit 1) p on true
     left join lateral ( select s.payer,
            s.auth_nonce as nonce
           from settlements s
          where s.id = r.ref
        union all
         select d.payer,
            d.nonce
           from direct_settlements d
          where d.id = r.ref) a on true
     left join outbound_payments o on o.nonce = a.nonce and lower(o.payer) = lower(a.payer)
     left join card_transaction_rows c on c.id = o.id
  where r.direction = 'received'::text and r.amount > 0::numeric;

create view ledger_entries as
 select t.id as transfer_id,
    (l.line - 1)::smallint as line,
    l.account_id,
    l.amount
   from ledger_transfers t,
    lateral unnest(t.accounts, t.amounts) with ordinality l(account_id, amount, line);

create view ledger_transfers as
 select ledger_transfer_rows.id,
    ledger_transfer_rows.kind,
    ledger_transfer_rows.ref,
    ledger_transfer_rows.reverses,
    ledger_transfer_rows.accounts,
    ledger_transfer_rows.amounts,
    ledger_transfer_rows.digest,
    ledger_transfer_rows.batch,
    ledger_transfer_rows.created_at,
    false as is_settlement
   from ledger_transfer_rows
union all
 select settlement_transfers.id,
    settlement_transfers.kind,
    settlement_transfers.ref,
    settlement_transfers.reverses,
    settlement_transfers.accounts,
    settlement_transfers.amounts,
    settlement_transfers.digest,
    settlement_transfers.batch,
    settlement_transfers.created_at,
    settlement_transfers.is_settlement
   from settlement_transfers;

create view payment_events_received as
 select s.xid,
    s.seq,
    'evt_'::text || other_side(substr(s.id, 5)) as id,
    'payment.settled'::text as type,
    s.receiver_wallet as wallet_address,
    s.id as subject,
    s.receiver_card_id as card_id,
    s.created_at,
    json_build_object('transactionId',
        case
            when s.receiver_card_id is not null then 'txn_'::text || other_side(substr(s.id, 5))
            else null::text
        end, 'agreementId', s.agreement_id, 'rail', s.protocol, 'amount', s.amount::text, 'fee', s.fee::text, 'network', s.network, 'asset', s.asset, 'decimals', s.decimals, 'code', l.code, 'merchant', coalesce(l.code, s.receiver_wallet), 'memo', coalesce(l.memo, ''::text)) as payment
   from settlements s
     left join pay_links l on l.id = s.pay_link_id
  where s.xid is not null and s.receiver_wallet is not null;

create view payment_events_sent as
 select s.xid,
    s.seq,
    'evt_'::text || substr(s.id, 5) as id,
    'payment.sent'::text as type,
    s.payer_wallet as wallet_address,
    s.id as subject,
    s.payer as card_id,
    s.created_at,
    json_build_object('transactionId', 'txn_'::text || substr(s.id, 5), 'agreementId', s.agreement_id, 'rail', s.protocol, 'amount', s.amount::text, 'fee', s.fee::text, 'network', s.network, 'asset', s.asset, 'decimals', s.decimals, 'code', l.code, 'merchant', coalesce(l.code, s.receiver_wallet, s.house_account), 'memo', coalesce(l.memo, ''::text)) as payment
   from settlements s
     left join pay_links l on l.id = s.pay_link_id
  where s.xid is not null;

create view settlement_transfers as
 select 'trf_'::text || substr(id, 5) as id,
    'settlement'::text as kind,
    id as ref,
    null::text as reverses,
    array_remove(array[payer_account,
        case
            when amount > fee then receiver_account
            else null::bigint
        end, fees_account], null::bigint) as accounts,
    array_remove(array[- amount, nullif(amount - fee, 0::numeric), nullif(fee, 0::numeric)], null::numeric)::numeric(78,0)[] as amounts,
    digest,
    batch,
    created_at,
    true as is_settlement
   from settlements s
  where batch is not null;

create sequence event_numbers;

create sequence ledger_batch_ids;

create or replace function add_changed_days_to_weeks()
 returns trigger
 language plpgsql
as $$
begin
  insert into spending_weeks as w (wallet_address, network, asset, week, card_id, payments, spent, returned)
  select a.wallet_address, a.network, a.asset, week_of(a.day), a.card_id, sum(a.payments - b.payments), sum(a.spent - b.spent),
    sum(a.returned - b.returned)
  from added a join before b using (wallet_address, network, asset, day, card_id)
  where a.card_id <> '' group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (wallet_address, network, asset, week, card_id) do update set payments = w.payments + excluded.payments,
    spent = w.spent + excluded.spent, returned = w.returned + excluded.returned;
  return null;
end $$;

create or replace function add_new_days_to_weeks()
 returns trigger
 language plpgsql
as $$
begin
  insert into spending_weeks as w (wallet_address, network, asset, week, card_id, payments, spent, returned)
  select wallet_address, network, asset, week_of(day), card_id, sum(payments), sum(spent), sum(returned)
  from added where card_id <> '' group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict (wallet_address, network, asset, week, card_id) do update set payments = w.payments + excluded.payments,
    spent = w.spent + excluded.spent, returned = w.returned + excluded.returned;
  return null;
end $$;

create or replace function add_refund_entries()
 returns trigger
 language plpgsql
as $$
begin
  insert into refund_entries select * from entries_of_refund(new);
  return null;
end $$;

create or replace function api_key_changed()
 returns trigger
 language plpgsql
as $$
begin
  if to_jsonb(new) - '{revoked_at,last_used_at,place,card_ids}'::text[]
       <> to_jsonb(old) - '{revoked_at,last_used_at,place,card_ids}'::text[]
     -- Cards are taken from a key, when they are sold, and never given to it but those below its own.
     or (new.card_ids is distinct from old.card_ids
       and (new.card_ids is null or old.card_ids is null or not are_below(new.card_ids, old.card_ids)))
     or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) then
    raise exception 'a key is revoked once, and nothing else of it changes' using errcode = 'check_violation';
  end if;
  if new.place is not null and new.place is distinct from old.place then
    raise exception 'a key keeps its place until it ends' using errcode = 'check_violation';
  end if;
  if new.place is null and old.place is not null and new.revoked_at is null
     and new.expires_at is null then
    raise exception 'a key that never expires keeps its place until it is revoked' using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function are_below(ids text[], own text[])
 returns boolean
 language sql
 stable
as $$
  select ids <@ (own || array(select c.id from cards c where c.id = any(ids) and c.ancestors && own))
$$;

create or replace function are_direct_rails(rails text[])
 returns boolean
 language sql
 immutable parallel safe
as $$ select rails <@ array['x402', 'mpp', 'onchain'] $$;

create or replace function are_link_rails(rails text[])
 returns boolean
 language sql
 immutable parallel safe
as $$ select rails <@ array['x402', 'ap2', 'mpp', 'card', 'onchain'] $$;

create or replace function are_paid_once()
 returns trigger
 language plpgsql
 set enable_hashjoin to 'off'
 set enable_mergejoin to 'off'
as $$
begin
  insert into paid_mandates select mandate_key(a.payer, a.mandate_id), a.id from added a where a.mandate_id is not null;
  if exists (select from added where auth_nonce is not null) then
    insert into settled_authorizations select a.network, a.asset, a.payer, a.auth_nonce, a.id from added a
      where a.auth_nonce is not null on conflict do nothing;
    if exists (select from added a join settled_authorizations k using (network, asset, payer, auth_nonce)
        where k.settlement_id <> a.id) then
      raise exception 'an authorization settled before' using errcode = 'unique_violation',
        constraint = 'one_use_per_authorization';
    end if;
  end if;
  return null;
end $$;

create or replace function begin_cap(of_subject text, of_network text, of_asset text, ids text[], at_windows text[])
 returns void
 language plpgsql
as $$
begin
  if exists (select from spending_caps where subject = of_subject) then
    return;
  end if;
  insert into spending_caps (subject, network, asset, hour, hour_used, day, day_used, week, week_used, month, month_used, days)
  select of_subject, of_network, of_asset,
    at_windows[1], coalesce(sum(c.hour_used) filter (where c.hour = at_windows[1]), 0),
    at_windows[2], coalesce(sum(c.day_used) filter (where c.day = at_windows[2]), 0),
    at_windows[3], coalesce(sum(c.week_used) filter (where c.week = at_windows[3]), 0),
    at_windows[4], coalesce(sum(c.month_used) filter (where c.month = at_windows[4]), 0),
    (select array_agg(case n when 0 then coalesce(
          (select sum(day_used) from cards where id = any(ids) and day = at_windows[2]), 0) else coalesce(s.sent, 0) end order by n)
      from generate_series(0, 29) as n left join (
        select at_windows[2]::date - (t.created_at at time zone 'UTC')::date as ago, sum(t.amount) as sent
          from card_transactions t join cards k on k.id = t.card_id
         where t.direction = 'sent' and t.status <> 'FAILED' and (k.id = any(ids) or k.ancestors && ids)
           and t.created_at >= (at_windows[2]::date - 29)::timestamp at time zone 'UTC'
         group by 1) s on s.ago = n)
  from cards c where c.id = any(ids);
end $$;

create or replace function begin_cap_of(of_subject text, of_wallet text, ids text[], of_network text, of_asset text, at_windows text[])
 returns void
 language plpgsql
as $$
declare
  own text[];
begin
  perform pg_advisory_xact_lock(hashtextextended(of_wallet, 11));
  own := array(select id from cards where wallet_address = of_wallet and kind = 'spending' and settlement_mode = 'CUSTODIAL'
    and (network, asset) = (of_network, of_asset)
    and case when ids is null then ancestors = '{}' else id = any(ids) and not ancestors && ids end);
  perform begin_cap(of_subject, of_network, of_asset, own, at_windows);
  update cards set caps = caps || of_subject where id = any(own) and of_subject <> all (caps);
end $$;

create or replace function bound_requests()
 returns trigger
 language plpgsql
as $$
begin
  if (select count(*) from card_approvals where card_id = new.card_id and status = 'PENDING' and expires_at > new.created_at) > 20
  then
    raise exception 'twenty payments of card % wait for a person', new.card_id
      using errcode = 'check_violation', constraint = 'twenty_requests_a_card';
  end if;
  if exists (select from card_approvals a where a.card_id = new.card_id and a.status = 'PENDING' and a.id <> new.id
      and a.expires_at > new.created_at and (a.owner_no, a.rail, a.request, a.merchants) = (new.owner_no, new.rail, new.request, new.merchants)
      and a.amount = new.amount) then
    raise exception 'payment of card % waits for a person already', new.card_id
      using errcode = 'check_violation', constraint = 'one_request_a_payment';
  end if;
  return null;
end $$;

create or replace function cap_facts(k spending_caps, since timestamptz)
 returns table(at timestamptz, amount numeric)
 language plpgsql
 stable
as $$
declare
  own text := k.subject;
  ids text[];
begin
  if k.subject like '0x%' then
    ids := array(select c.id from cards c where c.wallet_address = own
      union select h.card_id from card_handovers h where h.from_wallet = own);
  elsif k.subject like 'card\_%' then
    own := (select c.wallet_address from cards c where c.id = k.subject);
    ids := array[k.subject];
  else
    select a.wallet_address, a.card_ids || k.former_cards into own, ids from api_keys a where a.hash = decode(k.subject, 'hex');
  end if;
  return query select f.at, f.amount from spending_facts(
    array(select c.id from cards c where (c.id = any(ids) or (c.ancestors <> '{}' and c.ancestors && ids)) and c.kind = 'spending'
      and c.settlement_mode = 'CUSTODIAL' and (c.network, c.asset) = (k.network, k.asset)), since) f where f.wallet = own;
end $$;

create or replace function card_is_capped()
 returns trigger
 language plpgsql
as $$
begin
  if tg_op = 'INSERT' or new.wallet_address <> old.wallet_address then
    perform pg_advisory_xact_lock_shared(hashtextextended(new.wallet_address, 11));
    new.caps := array(select c.subject from spending_caps c where c.network = new.network and c.asset = new.asset
      and (c.subject = new.wallet_address and new.ancestors = '{}' or c.subject = new.id));
  end if;
  if new.rolling_limit is not null or new.max_payments_per_minute is not null then
    perform begin_cap(new.id, new.network, new.asset, array[new.id], array[new.hour, new.day, new.week, new.month]);
    new.caps := array(select unnest(new.caps) union select new.id);
  end if;
  update spending_caps set rolling_limit = new.rolling_limit, max_payments_per_minute = new.max_payments_per_minute
    where subject = new.id;
  return new;
end $$;

create or replace function count_grant_uses()
 returns trigger
 language plpgsql
 set enable_hashjoin to 'off'
 set enable_mergejoin to 'off'
as $$
declare
  named   bigint;
  counted bigint;
begin
  select count(distinct (open_id, mandate_currency)) into named from added where open_id is not null;
  if named = 0 then return null; end if;
  with used as (
    update ap2_open_mandates o
       set spent = o.spent + d.spent, uses = o.uses + d.uses, first_at = coalesce(o.first_at, d.first_at),
           last_at = greatest(o.last_at, d.last_at)
      from (select open_id, mandate_currency as currency, sum(mandate_amount) as spent, count(*) as uses, min(created_at) as first_at,
                   max(created_at) as last_at
              from added where open_id is not null group by 1, 2) d
     where o.open_id = d.open_id and o.currency = d.currency
    returning 1)
  select count(*) into counted from used;
  if counted <> named then
    raise exception 'a mandate under an open mandate that is not known, or in another currency'
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create or replace function count_key_change()
 returns trigger
 language plpgsql
as $$
begin
  update cards set keys_version = keys_version + 1 where id in (select card_id from changed);
  return null;
end $$;

create or replace function count_listing()
 returns trigger
 language plpgsql
as $$
declare
  change integer := (new.status = 'LISTED')::integer;
begin
  if tg_op = 'UPDATE' then change := (new.status = 'LISTED')::integer - (old.status = 'LISTED')::integer; end if;
  if change <> 0 then
    insert into listing_counts as c (network, part, listed) values (new.network, abs(hashtext(new.id)) % 16, change)
      on conflict (network, part) do update set listed = c.listed + excluded.listed;
  end if;
  return null;
end $$;

create or replace function count_on_caps()
 returns trigger
 language plpgsql
as $$
declare
  of_hour  numeric := new.hour_used - case new.hour when old.hour then old.hour_used else 0 end;
  of_day   numeric := new.day_used - case new.day when old.day then old.day_used else 0 end;
  of_week  numeric := new.week_used - case new.week when old.week then old.week_used else 0 end;
  of_month numeric := new.month_used - case new.month when old.month then old.month_used else 0 end;
begin
  update spending_caps c set
    hour = greatest(c.hour, new.hour),
    hour_used = case when c.hour > new.hour then c.hour_used
      else greatest(case c.hour when new.hour then c.hour_used else 0 end + of_hour, 0) end,
    day = greatest(c.day, new.day),
    day_used = case when c.day > new.day then c.day_used
      else greatest(case c.day when new.day then c.day_used else 0 end + of_day, 0) end,
    week = greatest(c.week, new.week),
    week_used = case when c.week > new.week then c.week_used
      else greatest(case c.week when new.week then c.week_used else 0 end + of_week, 0) end,
    month = greatest(c.month, new.month),
    month_used = case when c.month > new.month then c.month_used
      else greatest(case c.month when new.month then c.month_used else 0 end + of_month, 0) end,
    days = days_with(days_until(c.days, c.day, new.day), greatest(c.day, new.day), new.day, of_day)
  where c.subject = any(new.caps);
  -- A payment that was decided on an older count is decided again.
  if of_month > 0 then
    perform refuse_stale(exists (select from spending_caps c where c.subject = any(new.caps) and (
      c.hour_used > c.hourly_limit or c.day_used > c.daily_limit or c.week_used > c.weekly_limit
      or c.month_used > c.monthly_limit or c.rolling_limit < (select sum(d) from unnest(c.days) d))));
  end if;
  return null;
end $$;

create or replace function count_taken_on_caps()
 returns trigger
 language plpgsql
as $$
declare
  taken numeric := new.spent + new.held + new.delegated - old.spent - old.held - old.delegated;
begin
  update spending_caps c set
    hour = new.hour, hour_used = case c.hour when new.hour then c.hour_used else 0 end + taken,
    day = new.day, day_used = case c.day when new.day then c.day_used else 0 end + taken,
    week = new.week, week_used = case c.week when new.week then c.week_used else 0 end + taken,
    month = new.month, month_used = case c.month when new.month then c.month_used else 0 end + taken,
    days = days_with(days_until(c.days, c.day, new.day), new.day, new.day, taken),
    counted_to = case when c.counted_to is not null then greatest(c.counted_to, new.hour) end
  where c.subject = any(new.caps) and (c.counted_to is null or tells_hour(c.hour, c.counted_to, new.hour));
  -- A payment that was decided on an older count, or on one that does not tell its windows, is decided again.
  perform refuse_stale(exists (select from spending_caps c where c.subject = any(new.caps) and (c.hour <> new.hour
    or c.hour_used > c.hourly_limit or c.day_used > c.daily_limit or c.week_used > c.weekly_limit
    or c.month_used > c.monthly_limit or c.rolling_limit < (select sum(d) from unnest(c.days) d))));
  return null;
end $$;

create or replace function counted_cap(k spending_caps, at timestamptz)
 returns spending_caps
 language plpgsql
 stable
as $$
declare
  utc timestamp := at at time zone 'UTC';
  is_current boolean := tells_hour(k.hour, k.counted_to, to_char(utc, 'YYYY-MM-DD"T"HH24'));
  newest text;
begin
  k.minute := to_char(utc, 'YYYY-MM-DD"T"HH24:MI');
  select count(*) filter (where to_char(f.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') = k.minute),
      to_char(max(f.at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI')
    into k.minute_payments, newest from cap_facts(k, date_trunc('minute', at)) f;
  if not is_current then
    k.hour := to_char(utc, 'YYYY-MM-DD"T"HH24');
    k.day := to_char(utc, 'YYYY-MM-DD');
    k.week := to_char(utc, 'IYYY-"W"IW');
    k.month := to_char(utc, 'YYYY-MM');
    with facts as materialized (
      select f.amount, f.at at time zone 'UTC' as t from cap_facts(k, first_of_windows(utc)) f)
    select coalesce(sum(f.amount) filter (where date_trunc('hour', f.t) = date_trunc('hour', utc)), 0),
        coalesce(sum(f.amount) filter (where date_trunc('day', f.t) = date_trunc('day', utc)), 0),
        coalesce(sum(f.amount) filter (where date_trunc('week', f.t) = date_trunc('week', utc)), 0),
        coalesce(sum(f.amount) filter (where date_trunc('month', f.t) = date_trunc('month', utc)), 0),
        array(select coalesce(sum(d.amount), 0) from generate_series(0, 29) n
          left join facts d on d.t::date = utc::date - n group by n order by n)
      into k.hour_used, k.day_used, k.week_used, k.month_used, k.days from facts f;
  end if;
  k.counted_to := greatest(k.counted_to, k.minute, newest);
  return k;
end $$;

create or replace function counted_card(c cards, at timestamptz)
 returns cards
 language plpgsql
 stable
as $$
declare
  utc timestamp := at at time zone 'UTC';
  before text := c.hour;
  newest text;
begin
  select coalesce(sum(f.amount) filter (where date_trunc('hour', f.t) = date_trunc('hour', utc)), 0),
      coalesce(sum(f.amount) filter (where date_trunc('day', f.t) = date_trunc('day', utc)), 0),
      coalesce(sum(f.amount) filter (where date_trunc('week', f.t) = date_trunc('week', utc)), 0),
      coalesce(sum(f.amount) filter (where date_trunc('month', f.t) = date_trunc('month', utc)), 0),
      to_char(max(f.t), 'YYYY-MM-DD"T"HH24')
    into c.hour_used, c.day_used, c.week_used, c.month_used, newest
    from (select s.amount, s.at at time zone 'UTC' as t from spending_facts(
      array(select k.id from cards k where k.id = c.id or (k.ancestors <> '{}' and k.ancestors @> array[c.id])),
      least(date_trunc('week', utc), date_trunc('month', utc)) at time zone 'UTC') s) f;
  c.hour := to_char(utc, 'YYYY-MM-DD"T"HH24');
  c.day := to_char(utc, 'YYYY-MM-DD');
  c.week := to_char(utc, 'IYYY-"W"IW');
  c.month := to_char(utc, 'YYYY-MM');
  c.hour_cap := case when c.hourly_limit is not null then greatest(c.hourly_limit, c.hour_used) end;
  c.day_cap := case when c.daily_limit is not null then greatest(c.daily_limit, c.day_used) end;
  c.week_cap := case when c.weekly_limit is not null then greatest(c.weekly_limit, c.week_used) end;
  c.month_cap := case when c.monthly_limit is not null then greatest(c.monthly_limit, c.month_used) end;
  c.counted_to := greatest(c.counted_to, before, c.hour, newest);
  return c;
end $$;

create or replace function days_until(days numeric[], from_day text, to_day text)
 returns numeric[]
 language sql
 immutable
as $$
  select case when to_day <= from_day then days
    else (array_fill(0::numeric, array[least(to_day::date - from_day::date, 30)]) || days)[1:30] end
$$;

create or replace function days_with(days numeric[], last_day text, on_day text, more numeric)
 returns numeric[]
 language sql
 immutable
as $$
  select array(select case when n = last_day::date - on_day::date + 1 then greatest(d + more, 0) else d end
    from unnest(days) with ordinality as u (d, n) order by n)
$$;

create or replace function direct_settlement_parties()
 returns trigger
 language plpgsql
as $$
begin
  if not exists (select from pay_links l where l.id = new.pay_link_id and l.token = new.token
      and l.card_id = new.card_id and l.network = new.network
      and (l.wallet_address = new.wallet_address or (new.nonce is null and exists (
        select from card_handovers h where h.card_id = l.card_id and h.from_wallet = new.wallet_address)))) then
    raise exception 'direct settlement % does not pay the seller of its link', new.id using errcode = 'check_violation';
  end if;
  if new.nonce is not null and not exists (select from authorization_claims c where c.network = new.network
      and c.payer = new.payer and c.nonce = new.nonce and c.ref = new.id) then
    raise exception 'the authorization of direct settlement % is not claimed for it', new.id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function entries_of_refund(made card_refunds)
 returns setof refund_entries
 language sql
 stable
as $$
  select refund_entry_id(made.created_at, t.id || ' ' || made.refunded), t.id, t.card_id, t.wallet_address,
         case t.direction when 'sent' then 'received' else 'sent' end, made.amount, made.refunded, max(t.fee) over (),
         t.merchant, t.protocol, t.network, t.asset, made.ref, t.memo, made.created_at
    from card_transactions t where t.ref = made.ref
$$;

create or replace function event_horizon()
 returns bigint
 language sql
 stable
as $$
  select base + pg_snapshot_xmin(pg_current_snapshot())::text::bigint from event_base
$$;

create or replace function event_xid()
 returns bigint
 language sql
as $$
  select base + pg_current_xact_id()::text::bigint from event_base
$$;

create or replace function first_of_windows(at timestamp without time zone)
 returns timestamptz
 language sql
 immutable
as $$ select least(date_trunc('week', at), date_trunc('month', at), date_trunc('day', at) - interval '29 days') at time zone 'UTC' $$;

create or replace function first_settlement_id(at timestamptz)
 returns text
 language sql
 immutable parallel safe
as $$
  select 'stl_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (5 * n)) & 31)::integer + 1, 1), '' order by n desc)
    from (select floor(extract(epoch from at) * 1000)::bigint as ms) t, generate_series(0, 9) n
$$;

create or replace function free_caps_of_hold()
 returns trigger
 language plpgsql
as $$
declare
  back numeric := new.amount - new.captured;
  utc timestamp := new.created_at at time zone 'UTC';
  subjects text[] := array(select distinct s from cards c join cards k on k.id = c.id or k.id = any(c.ancestors)
    cross join unnest(k.caps) s where c.account_id = new.account_id);
begin
  if subjects = '{}' then
    return null;
  end if;
  perform from spending_caps where subject = any(subjects) order by subject for update;
  update spending_caps set
    hour_used = greatest(hour_used - case hour when to_char(utc, 'YYYY-MM-DD"T"HH24') then back else 0 end, 0),
    day_used = greatest(day_used - case day when to_char(utc, 'YYYY-MM-DD') then back else 0 end, 0),
    week_used = greatest(week_used - case week when to_char(utc, 'IYYY-"W"IW') then back else 0 end, 0),
    month_used = greatest(month_used - case month when to_char(utc, 'YYYY-MM') then back else 0 end, 0),
    days = days_with(days, day, to_char(utc, 'YYYY-MM-DD'), -back),
    minute_payments = greatest(minute_payments - case
      when new.captured = 0 and minute = to_char(utc, 'YYYY-MM-DD"T"HH24:MI') then 1 else 0 end, 0)
  where subject = any(subjects);
  return null;
end $$;

create or replace function give_claim_back()
 returns trigger
 language plpgsql
as $$
begin
  delete from authorization_claims c where c.network = old.network and c.payer = old.payer and c.nonce = old.nonce
    and c.ref = old.id;
  return null;
end $$;

create or replace function id_time(at timestamptz)
 returns text
 language sql
 immutable parallel safe
as $$
  select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (5 * n)) & 31)::integer + 1, 1), '' order by n desc)
    from (select floor(extract(epoch from at) * 1000)::bigint as ms) t, generate_series(0, 9) n
$$;

create or replace function is_card_rail(rail text)
 returns boolean
 language sql
 immutable parallel safe
as $$ select rail in ('card', 'ap2', 'x402', 'mpp') $$;

create or replace function is_on_sale(status_reason text)
 returns boolean
 language sql
 immutable parallel safe
as $$ select status_reason is not distinct from 'being sold on chain' $$;

create or replace function is_rail(rail text)
 returns boolean
 language sql
 immutable parallel safe
as $$ select rail in ('x402', 'ap2', 'mpp', 'card', 'onchain', 'internal') $$;

create or replace function is_same(text, text)
 returns boolean
 language sql
 immutable parallel safe
as $$ select coalesce($1 = $2, false) $$;

create or replace function is_system_address(address text)
 returns boolean
 language sql
 immutable parallel safe
as $$ select address ~* '^0x(0{36}[0-9a-f]{4}|42000{33}[0-7][0-9a-f]{2})$' $$;

create or replace function keep_agent_card_token()
 returns trigger
 language plpgsql
as $$
begin
  if old.state <> 'held' or new.state = 'held'
     or (old.challenge_id, old.card_id, old.hold_id, old.transaction_id, old.settlement_id, old.recipient, old.amount,
       old.fee, old.network, old.asset, old.expires_at, old.created_at)
     is distinct from (new.challenge_id, new.card_id, new.hold_id, new.transaction_id, new.settlement_id, new.recipient,
       new.amount, new.fee, new.network, new.asset, new.expires_at, new.created_at)
     or (select state from ledger_holds where id = new.hold_id)
     is distinct from (case new.state when 'redeemed' then 'captured' else 'released' end) then
    raise exception 'card token for challenge % ends once, like its hold', old.challenge_id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_agreement()
 returns trigger
 language plpgsql
as $$
begin
  if (old.id, old.purpose, old.payer_wallet, old.payer_card_id, old.pay_link_code, old.amount, old.network, old.asset,
      old.trigger_type, old.period_days, old.period_months, old.threshold_metric, old.threshold_floor, old.anchor,
      old.first_month, old.funding_source, old.open_id, old.kid, old.created_at)
     is distinct from
     (new.id, new.purpose, new.payer_wallet, new.payer_card_id, new.pay_link_code, new.amount, new.network, new.asset,
      new.trigger_type, new.period_days, new.period_months, new.threshold_metric, new.threshold_floor, new.anchor,
      new.first_month, new.funding_source, new.open_id, new.kid, new.created_at)
     or (old.merchant_wallet <> new.merchant_wallet and old.pay_link_code is null)
     or new.charges_made < old.charges_made or new.total_charged < old.total_charged
     -- Nothing moves the first failure: it stays, or it is settled.
     or (new.first_failed_at <> old.first_failed_at)
     or (old.status = 'PAUSED' and new.status in ('PAUSED', 'ACTIVE') and old.first_failed_at is distinct from new.first_failed_at)
     or (old.status <> new.status and not (old.status, new.status) in (
          ('ACTIVE', 'PAST_DUE'), ('PAST_DUE', 'ACTIVE'), ('ACTIVE', 'PAUSED'), ('PAST_DUE', 'PAUSED'),
          ('PAUSED', 'ACTIVE'), ('PAUSED', 'PAST_DUE'), ('ACTIVE', 'CANCELLED'), ('PAST_DUE', 'CANCELLED'), ('PAUSED', 'CANCELLED'),
          ('ACTIVE', 'COMPLETED'), ('PAST_DUE', 'COMPLETED'))) then
    raise exception 'agreement % cannot change like this', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_agreement_on_sale()
 returns trigger
 language plpgsql
as $$
begin
  if exists (select from pay_links l join cards c on c.id = l.card_id
      where l.code = new.pay_link_code and is_on_sale(c.status_reason)) then
    raise exception 'agreement % stays as long as the card it pays is being sold', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_alarm()
 returns trigger
 language plpgsql
as $$
begin
  if old.resolved_at is not null
     and (old.kind, old.subject, old.sentence, old.details, old.first_seen, old.last_seen, old.resolved_at)
         is distinct from
         (new.kind, new.subject, new.sentence, new.details, new.first_seen, new.last_seen, new.resolved_at) then
    raise exception 'alarm % has ended', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_card_key()
 returns trigger
 language plpgsql
as $$
begin
  if (old.card_id, old.kid, old.role, old.jwk, old.owner_no, old.created_at)
     is distinct from (new.card_id, new.kid, new.role, new.jwk, new.owner_no, new.created_at)
     or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at) then
    raise exception 'key % of % cannot change', old.kid, old.card_id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_charge()
 returns trigger
 language plpgsql
as $$
begin
  if (old.id, old.agreement_id, old.period_no, old.amount, old.created_at)
     is distinct from (new.id, new.agreement_id, new.period_no, new.amount, new.created_at)
     or old.status = 'SUCCEEDED' or new.attempts < old.attempts then
    raise exception 'charge % cannot change like this', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_direct_settlement()
 returns trigger
 language plpgsql
as $$
begin
  if (old.id, old.pay_link_id, old.card_id, old.wallet_address, old.protocol, old.bound_by, old.payer, old.network,
      old.token, old.nonce, old.valid_before, old.created_at)
     is distinct from (new.id, new.pay_link_id, new.card_id, new.wallet_address, new.protocol, new.bound_by, new.payer,
      new.network, new.token, new.nonce, new.valid_before, new.created_at)
     or (old.amount <> new.amount and old.state <> 'settling')
     or (old.state = 'settled' and new.state not in ('settled', 'missing'))
     or (old.state in ('failed', 'missing') and new.state <> old.state)
     or (old.is_final and (not new.is_final or old.state <> new.state or old.tx_hash <> new.tx_hash)) then
    raise exception 'direct settlement % cannot change so', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_exception()
 returns trigger
 language plpgsql
as $$
begin
  if (old.id, old.pay_link_id, old.wallet_address, old.reason, old.amount, old.fee, old.payer, old.tx_hash, old.log_index,
      old.settlement_mode, old.created_at)
     is distinct from
     (new.id, new.pay_link_id, new.wallet_address, new.reason, new.amount, new.fee, new.payer, new.tx_hash, new.log_index,
      new.settlement_mode, new.created_at) then
    raise exception 'the facts of exception % cannot change', old.id using errcode = 'check_violation';
  end if;
  if not (
    (old.status = 'OPEN' and new.status = 'KEPT' and new.refunds = old.refunds)
    or (old.status = 'OPEN' and new.status = 'REFUNDED' and new.refunds = old.refunds + 1 and exists (
      select from withdrawals w where w.id = new.withdrawal_id and w.wallet_address = new.wallet_address
         and w.to_address = new.payer and w.net_amount <= new.amount and w.status = 'PROCESSING'))
    or (old.status = 'REFUNDED' and new.status = 'OPEN' and new.refunds = old.refunds and exists (
      select from withdrawals w where w.id = old.withdrawal_id and w.status = 'FAILED'))) then
    raise exception 'exception % cannot go from % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_identity()
 returns trigger
 language plpgsql
as $$
begin
  if (old.card_id, old.network, old.registry, old.created_at) is distinct from
     (new.card_id, new.network, new.registry, new.created_at)
     or (old.token_id is not null
         and (old.token_id, old.holder_address) is distinct from (new.token_id, new.holder_address))
     or new.attempts < old.attempts
     or (new.state = 'FAILED' and old.state not in ('FAILED', 'PENDING', 'MINTED'))
     or (new.state = 'DETACHED' and old.state not in ('DETACHED', 'FINAL', 'TRANSFERRING')) then
    raise exception 'the identity of % is %, and does not become %', old.card_id, old.state, new.state
      using errcode = 'check_violation', constraint = 'keep_identity';
  end if;
  return new;
end $$;

create or replace function keep_link_on_sale()
 returns trigger
 language plpgsql
as $$
begin
  if exists (select from cards c where c.id = new.card_id and is_on_sale(c.status_reason)) then
    raise exception 'link % stays as long as its card is being sold', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_listing()
 returns trigger
 language plpgsql
as $$
begin
  if (old.id, old.card_id, old.seller, old.price, old.mode, old.network, old.asset, old.hash, old.created_at,
      old.expires_at)
     is distinct from
     (new.id, new.card_id, new.seller, new.price, new.mode, new.network, new.asset, new.hash, new.created_at,
      new.expires_at)
     or (old.status <> new.status and not (old.status, new.status) in (
       ('LISTED', 'SOLD'), ('LISTED', 'SETTLING'), ('LISTED', 'CANCELLED'), ('SETTLING', 'SOLD'), ('SETTLING', 'LISTED'),
       ('CANCELLED', 'SETTLING')))
     or (old.status in ('SOLD', 'CANCELLED') and new.status <> 'SETTLING' and (old.buyer, old.fee, old.version, old.reason, old.settled_at, old.ended_at)
       is distinct from (new.buyer, new.fee, new.version, new.reason, new.settled_at, new.ended_at))
     or (old.settled_tx is not null and new.settled_tx is distinct from old.settled_tx) then
    raise exception 'listing % cannot change like this', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_membership()
 returns trigger
 language plpgsql
as $$
begin
  if (new.last_payment_id = old.last_payment_id and (new.status = 'ACTIVE' and old.status <> 'ACTIVE'
        or (new.tier, new.billing_period, new.anchor, new.months)
          is distinct from (old.tier, old.billing_period, old.anchor, old.months)))
     or (new.anchor <> old.anchor and old.status <> 'EXPIRED')
     or (old.lapsed and not new.lapsed and (old.status = 'EXPIRED' or new.last_payment_id = old.last_payment_id))
     or (old.status = 'PAST_DUE' and new.status = 'EXPIRED' and not new.lapsed)
     or (new.status = 'PAST_DUE' and old.status = 'EXPIRED') then
    raise exception 'the membership of % cannot change like this', old.wallet_address using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_membership_payment()
 returns trigger
 language plpgsql
as $$
begin
  if old.undone_at is not null or old.source <> 'wallet' or to_jsonb(old) - 'undone_at' <> to_jsonb(new) - 'undone_at' then
    raise exception 'payment % stays as it is', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_money_on_sale()
 returns trigger
 language plpgsql
as $$
begin
  if exists (select from unnest(new.accounts, new.amounts) as line (account_id, amount)
      join cards c on c.account_id = line.account_id where line.amount < 0 and is_on_sale(c.status_reason)) then
    raise exception 'transfer % takes money off a card that is being sold', new.id
      using errcode = 'check_violation', constraint = 'money_stays_on_sale';
  end if;
  return null;
end $$;

create or replace function keep_mpp_stream()
 returns trigger
 language plpgsql
as $$
begin
  if old.status <> 'OPEN' or new.total_ticked < old.total_ticked
     or (old.id, old.wallet_address, old.card_id, old.receiver_card_id, old.session_id, old.merchant, old.hold_id,
       old.network, old.asset, old.budget, old.tick_amount, old.fee_bps, old.fee_flat, old.created_at, old.expires_at)
     is distinct from (new.id, new.wallet_address, new.card_id, new.receiver_card_id, new.session_id, new.merchant,
       new.hold_id, new.network, new.asset, new.budget, new.tick_amount, new.fee_bps, new.fee_flat, new.created_at,
       new.expires_at)
     or (new.status <> 'OPEN' and new.final_amount is distinct from
       (select captured from ledger_holds where id = new.hold_id and state <> 'open')) then
    raise exception 'stream % only grows, and ends once, like its hold', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_open_mandate()
 returns trigger
 language plpgsql
as $$
begin
  if (old.card_id, old.open_id, old.currency, old.budget_max, old.max_uses, old.agent_kid, old.expires_at)
     is distinct from (new.card_id, new.open_id, new.currency, new.budget_max, new.max_uses, new.agent_kid,
       new.expires_at)
     or new.spent < old.spent or new.uses < old.uses
     or (old.first_at is not null and new.first_at is distinct from old.first_at)
     or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
     or (old.revoked_at is not null and new.uses > old.uses)
     or (new.token is not null and new.token is distinct from old.token) then
    raise exception 'open mandate % of % cannot change like this', old.open_id, old.card_id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_payout_address()
 returns trigger
 language plpgsql
as $$
begin
  perform 1 from payout_addresses a where a.wallet_address = new.wallet_address and a.address = new.to_address
    and a.removed_at is null and a.added_at <= payout_time() - make_interval(secs => new.address_delay) for share;
  if not found then
    raise exception 'withdrawal % goes to an address that its wallet has not added long enough ago', new.id
      using errcode = 'check_violation', constraint = 'to_known_address';
  end if;
  return new;
end $$;

create or replace function keep_payout_address_row()
 returns trigger
 language plpgsql
as $$
begin
  if old.removed_at is null or old.added_at > payout_time() - interval '24 hours' then
    raise exception 'payout address % is in force, or was added in the last day', old.id using errcode = 'check_violation';
  end if;
  return old;
end $$;

create or replace function keep_payout_caps()
 returns trigger
 language plpgsql
as $$
declare
  of_wallet numeric;
  of_all numeric;
begin
  if new.wallet_cap is not null or new.treasury_cap is not null then
    perform lock_payout_caps(new.network, new.asset);
  end if;
  new.counted_at := payout_time();
  if new.wallet_cap is not null or new.treasury_cap is not null then
    select coalesce(sum(c.amount) filter (where c.wallet_address = new.wallet_address), 0), coalesce(sum(c.amount), 0)
      into of_wallet, of_all from
      (select network, asset, wallet_address, amount, counted_at from withdrawals where status <> 'FAILED' and counted_at is not null
       union all select network, asset, wallet_address, amount, counted_at from withdrawal_requests
         where state in ('pending', 'approved')) c
      where c.network = new.network and c.asset = new.asset and c.counted_at > new.counted_at - interval '24 hours';
    if of_wallet + new.amount > new.wallet_cap or of_all + new.amount > new.treasury_cap then
      raise exception 'withdrawal % is above a daily cap', new.id
        using errcode = 'check_violation', constraint = 'within_payout_caps';
    end if;
  end if;
  return new;
end $$;

create or replace function keep_payout_terms()
 returns trigger
 language plpgsql
as $$
begin
  raise exception 'what withdrawal % was judged by would change', old.id using errcode = 'check_violation';
end $$;

create or replace function keep_paywall_payment()
 returns trigger
 language plpgsql
as $$
begin
  if (old.id, old.wallet_address, old.payment_key, old.method, old.payer, old.amount, old.payment_hash, old.request_hash)
     is distinct from
     (new.id, new.wallet_address, new.payment_key, new.method, new.payer, new.amount, new.payment_hash, new.request_hash)
     or (old.state = 'settled' and (new.state, new.charged, new.settled_at) is distinct from (old.state, old.charged, old.settled_at))
     or (old.is_delivered and not new.is_delivered) then
    raise exception 'paywall payment % is settled and delivered once', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_pull()
 returns trigger
 language plpgsql
as $$
begin
  if (old.id, old.agreement_id, old.period_key, old.ref, old.wallet_address, old.network, old.asset, old.token,
      old.created_at)
     is distinct from
     (new.id, new.agreement_id, new.period_key, new.ref, new.wallet_address, new.network, new.asset, new.token,
      new.created_at)
     or (new.amount <> old.amount and not (old.state = 'failed' and new.state = 'requested')
         and not (old.state in ('requested', 'sent') and new.state = 'confirmed'))
     or old.is_safe or old.state = 'missing' or new.attempts < old.attempts
     or (old.state = 'confirmed' and new.state not in ('confirmed', 'missing'))
     or (old.state = 'failed' and new.state <> 'requested')
     or (new.state = 'missing' and old.state <> 'confirmed') then
    raise exception 'pull % is %, or its terms would change', old.id, old.state
      using errcode = 'check_violation', constraint = 'keep_pull';
  end if;
  return new;
end $$;

create or replace function keep_registered_token()
 returns trigger
 language plpgsql
as $$
begin
  if (old.id, old.wallet_address, old.network, old.address, old.created_at)
     is distinct from (new.id, new.wallet_address, new.network, new.address, new.created_at)
     or old.status = 'REMOVED' then
    raise exception 'registered token % cannot change', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_settled_paywall_payment()
 returns trigger
 language plpgsql
as $$
begin
  if (old.id, old.wallet_address, old.payment_key, old.method, old.payer, old.amount, old.payment_hash, old.request_hash)
     is distinct from
     (new.id, new.wallet_address, new.payment_key, new.method, new.payer, new.amount, new.payment_hash, new.request_hash)
     or (old.state = 'settled' and (new.state, new.charged, new.settled_at) is distinct from (old.state, old.charged, old.settled_at))
     or (old.is_delivered and new.attempt is distinct from old.attempt) then
    raise exception 'paywall payment % is settled once, and delivered by one attempt', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_watched_transfer()
 returns trigger
 language plpgsql
as $$
begin
  if (old.network, old.asset, old.tx_hash, old.log_index, old.from_address, old.to_address, old.amount)
     is distinct from (new.network, new.asset, new.tx_hash, new.log_index, new.from_address, new.to_address, new.amount)
     and old.state in ('credited', 'passed_on', 'alarm') then
    raise exception 'transfer % % was credited and cannot change', old.tx_hash, old.log_index
      using errcode = 'check_violation';
  end if;
  if (old.state = 'credited' and new.state not in ('credited', 'alarm'))
     or (old.state = 'passed_on' and new.state not in ('passed_on', 'credited', 'alarm'))
     or (old.state = 'alarm' and new.state <> 'alarm') then
    raise exception 'transfer % % was % and cannot become %', old.tx_hash, old.log_index, old.state, new.state
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_withdrawal()
 returns trigger
 language plpgsql
as $$
begin
  if old.status <> 'PROCESSING'
     or (old.id, old.wallet_address, old.network, old.asset, old.amount, old.fee, old.net_amount, old.mechanism, old.from_address,
         old.to_address, old.nonce, old.valid_before, old.signature, old.from_block, old.created_at, old.intent)
        is distinct from
        (new.id, new.wallet_address, new.network, new.asset, new.amount, new.fee, new.net_amount, new.mechanism, new.from_address,
         new.to_address, new.nonce, new.valid_before, new.signature, new.from_block, new.created_at, new.intent) then
    raise exception 'withdrawal % has ended, or its authorization would change', old.id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_withdrawal_request()
 returns trigger
 language plpgsql
as $$
begin
  if (to_jsonb(old) - array['state', 'note', 'decided_at']) <> (to_jsonb(new) - array['state', 'note', 'decided_at'])
     or (old.state, new.state) not in (('pending', 'approved'), ('pending', 'rejected'), ('approved', 'begun'))
     or old.state = 'approved' and (old.note, old.decided_at) <> (new.note, new.decided_at) then
    raise exception 'withdrawal request % is decided once', old.id using errcode = 'check_violation';
  end if;
  if new.state = 'rejected' and not exists (select from ledger_holds where id = new.hold_id and state = 'released')
     or new.state = 'begun' and (not exists (select from ledger_holds where id = new.hold_id and state = 'captured')
       or not exists (select from withdrawals w where (w.id, w.nonce, w.amount, w.to_address)
         = (new.id, new.nonce, new.amount, new.to_address))) then
    raise exception 'the money of withdrawal request % has not moved as its state says', old.id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function keep_x402_settlement()
 returns trigger
 language plpgsql
as $$
begin
  if tg_op = 'DELETE' then
    if old.state <> 'settling' then
      raise exception 'x402 settlement % has ended and cannot be deleted', old.id using errcode = 'check_violation';
    end if;
    return old;
  end if;
  if (old.id, old.wallet_address, old.network, old.token, old.payer, old.nonce, old.pay_to, old.amount,
      old.valid_before, old.payload_hash, old.method)
     is distinct from (new.id, new.wallet_address, new.network, new.token, new.payer, new.nonce, new.pay_to, new.amount,
      new.valid_before, new.payload_hash, new.method)
     or (old.state <> 'settling' and old.state <> new.state)
     or (old.finality <> 'waiting' and old.finality <> new.finality)
     or (old.next_answer_at is null and new.next_answer_at is not null) then
    raise exception 'x402 settlement % ends once, and what it pays cannot change', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function ledger_apply()
 returns trigger
 language plpgsql
 set enable_hashjoin to 'off'
 set enable_mergejoin to 'off'
as $$
declare
  seen   record;
  posted record;
begin
  select min(t.batch) as batch_id, max(t.batch) as last_batch, string_agg(t.digest, ''::bytea order by t.id collate "C") as digests,
         bool_or((select sum(amount) from unnest(t.amounts) as amount) <> 0) as is_off
    into seen from added t;
  if seen.batch_id is null then return null; end if;
  if seen.batch_id <> seen.last_batch then
    raise exception 'transfers of several batches in one statement' using errcode = 'check_violation';
  end if;
  select p.* into posted
    from (select array_agg(t.kind) as kinds, array_agg(l.account_id) as accounts, array_agg(l.amount) as amounts
            from added t, unnest(t.accounts, t.amounts) as l (account_id, amount)) v,
         ledger_post(seen.batch_id, seen.digests, v.kinds, v.accounts, v.amounts) p;
  if seen.is_off or (posted.first_asset <> posted.last_asset and exists (
      select from added t, unnest(t.accounts, t.amounts) as l (account_id, amount)
        join ledger_accounts a on a.id = l.account_id
       group by t.id, a.network, a.asset having sum(l.amount) <> 0)) then
    raise exception 'a transfer does not sum to zero' using errcode = 'check_violation';
  end if;
  return null;
end $$;

create or replace function ledger_hold_closed()
 returns trigger
 language plpgsql
as $$
begin
  if old.state <> 'open' or new.state = 'open' or old.amount <> new.amount
     or old.account_id <> new.account_id or old.id <> new.id or old.ref <> new.ref then
    raise exception 'hold % is closed once, and nothing else of it changes', old.id
      using errcode = 'check_violation';
  end if;
  update ledger_accounts set held = held - old.amount where id = old.account_id;
  return new;
end $$;

create or replace function ledger_hold_opened()
 returns trigger
 language plpgsql
as $$
begin
  if exists (select from added where state <> 'open') then
    raise exception 'a hold starts open' using errcode = 'check_violation';
  end if;
  update ledger_accounts a set held = a.held + h.amount
    from (select account_id, sum(amount) as amount from added group by account_id) h
   where a.id = h.account_id;
  return null;
end $$;

create or replace function ledger_post(batch_id bigint, digests bytea, kinds text[], line_accounts bigint[], line_amounts numeric[], out first_asset text, out last_asset text)
 returns record
 language plpgsql
 set enable_hashjoin to 'off'
 set enable_mergejoin to 'off'
as $$
declare
  moved  record;
  mine   ledger_chains%rowtype;
  pick   integer;
  sealed bytea;
begin
  select count(*) as accounts, count(a.id) as known,
         min(a.network || ' ' || a.asset) as first_asset, max(a.network || ' ' || a.asset) as last_asset,
         array_agg(d.account_id order by d.account_id) filter (where not a.is_house) as ids,
         array_agg(d.amount order by d.account_id) filter (where not a.is_house) as amounts,
         array_agg(d.account_id order by d.account_id) filter (where a.is_house) as house_ids,
         array_agg(d.amount order by d.account_id) filter (where a.is_house) as house_amounts,
         array_agg(d.account_id) filter (where a.kind <> 'card' and not a.is_house) as wallet_ids
    into moved
    from (select l.account_id, sum(l.amount) as amount
            from unnest(line_accounts, line_amounts) as l (account_id, amount) group by l.account_id) d
    left join ledger_accounts a on a.id = d.account_id;
  if moved.known < moved.accounts then
    raise exception 'a transfer names an account that does not exist' using errcode = 'foreign_key_violation';
  end if;

  update ledger_accounts a set posted = a.posted + d.amount
    from unnest(moved.ids, moved.amounts) as d (id, amount)
   where a.id = d.id;

  if moved.wallet_ids is not null then
    insert into ledger_totals as s (account_id, kind, gained, gave)
    select l.account_id, l.kind, coalesce(sum(l.amount) filter (where l.amount > 0), 0),
           coalesce(-sum(l.amount) filter (where l.amount < 0), 0)
      from unnest(kinds, line_accounts, line_amounts) as l (kind, account_id, amount)
     where l.account_id = any (moved.wallet_ids)
     group by l.account_id, l.kind order by l.account_id, l.kind
    on conflict (account_id, kind) do update set gained = s.gained + excluded.gained, gave = s.gave + excluded.gave;
  end if;

  select * into mine from ledger_chains order by id limit 1 for update skip locked;
  if not found then
    pick := 1 + floor(random() * 16)::integer;
    select * into mine from ledger_chains where id = pick for update;
  end if;
  insert into ledger_house_parts as p (account_id, chain, posted)
  select d.id, mine.id, d.amount from unnest(moved.house_ids, moved.house_amounts) as d (id, amount)
  on conflict (account_id, chain) do update set posted = p.posted + excluded.posted;

  sealed := sha256(mine.head || digests);
  insert into ledger_batches (id, chain, seq, previous, hash)
  values (batch_id, mine.id, mine.seq + 1, mine.head, sealed);
  update ledger_chains set head = sealed, seq = mine.seq + 1 where id = mine.id;
  first_asset := moved.first_asset;
  last_asset := moved.last_asset;
end $$;

create or replace function ledger_transfer(text)
 returns setof ledger_transfers
 language sql
 stable
as $$
  select id, kind, ref, reverses, accounts, amounts, digest, batch, created_at, false from ledger_transfer_rows where id = $1
  union all
  select id, kind, ref, reverses, accounts, amounts, digest, batch, created_at, is_settlement from settlement_transfers
   where ref = 'stl_' || substr($1, 5) and id = $1
$$;

create or replace function limit_inputs(listed json)
 returns jsonb
 language sql
 immutable parallel safe
as $$ select jsonb_build_object('hourly_limit', null, 'daily_limit', null, 'weekly_limit', null, 'monthly_limit', null,
      'hour_used', split_part(listed ->> 10, ' ', 1), 'day_used', split_part(listed ->> 10, ' ', 2),
      'week_used', split_part(listed ->> 10, ' ', 3), 'month_used', split_part(listed ->> 10, ' ', 4))
    || coalesce((listed -> 11)::jsonb, '{}') $$;

create or replace function lock_payout_caps(of_network text, of_asset text)
 returns void
 language plpgsql
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(of_network || ' ' || of_asset, 56));
end $$;

create or replace function make_settlement_months(at timestamptz, ahead integer)
 returns integer
 language plpgsql
 security definer
 set lock_timeout to '1s'
 set enable_hashjoin to 'off'
 set search_path to 'public', 'pg_temp'
as $$
declare
  starts timestamp;
  until  timestamp := date_trunc('month', at at time zone 'UTC') + make_interval(months => least(ahead, 12) + 1);
  made   integer := 0;
  month  text;
  least  text;
  bound  text;
begin
  perform pg_advisory_xact_lock(7283190453);
  select max(settlement_id_time(substring(pg_get_expr(c.relpartbound, c.oid) from $re$TO \('(stl_[^']{10})$re$)) at time zone 'UTC')
    into starts from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'settlements'::regclass;
  while starts < until and made < 24 loop
    month := 'settlements_' || to_char(starts, 'YYYY_MM');
    least := first_settlement_id(starts at time zone 'UTC');
    bound := first_settlement_id((starts + interval '1 month') at time zone 'UTC');
    execute format('create table %I (like settlements including defaults including constraints including storage)', month);
    if exists (select from settlements_rest r where r.id >= least and r.id < bound) then
      alter table settlements_rest disable trigger only_as_a_part;
      execute format('with moved as (delete from settlements_rest r where r.id >= %L and r.id < %L returning *)
        insert into %I select * from moved', least, bound, month);
      alter table settlements_rest enable trigger only_as_a_part;
    end if;
    execute format('create trigger only_as_a_part before insert or update or delete or truncate on %I
      for each statement execute function refuse_change()', month);
    execute format('alter table settlements attach partition %I for values from (%L) to (%L)', month, least, bound);
    starts := starts + interval '1 month';
    made := made + 1;
  end loop;
  return made;
end $$;

create or replace function mandate_key(card text, mandate text)
 returns bytea
 language sql
 immutable parallel safe
as $$ select substr(sha256((card || ' ' || replace(mandate, '\', '\\'))::bytea), 1, 15) $$;

create or replace function months_after(anchor timestamptz, months integer)
 returns timestamptz
 language sql
 immutable
as $$
  select (anchor at time zone 'UTC' + make_interval(months => months)) at time zone 'UTC'
$$;

create or replace function months_of(billing_period text)
 returns integer
 language sql
 immutable
as $$
  select case billing_period when 'year' then 12 else 1 end
$$;

create or replace function names_a_settlement()
 returns trigger
 language plpgsql
as $$
begin
  if not exists (select from settlements s where s.id = new.settlement_id) then
    raise exception 'a row of % names a settlement that does not exist', tg_table_name using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create or replace function new_key_has_place()
 returns trigger
 language plpgsql
as $$
begin
  raise exception 'a new key takes one of its wallet''s places' using errcode = 'check_violation',
    constraint = 'fifty_keys_at_most';
end $$;

create or replace function note_category_change()
 returns trigger
 language plpgsql
as $$
begin
  insert into merchant_category_changes (wallet_address, previous, mcc, note, database_role, changed_at)
  values (new.wallet_address, case when tg_op = 'UPDATE' then old.mcc end, new.mcc, new.note, session_user,
    new.assigned_at);
  return null;
end $$;

create or replace function note_seal()
 returns trigger
 language plpgsql
 set "TimeZone" to 'UTC'
as $$
declare
  source jsonb := to_jsonb(new);
  keys   text;
begin
  select string_agg(source ->> k, ' ' order by n) into keys
    from unnest(string_to_array(tg_argv[0], ',')) with ordinality as u (k, n);
  insert into seal_queue (subject, digest)
  values (tg_table_name || ' ' || keys, sha256(convert_to(sealed_text(source, tg_argv[1:]), 'UTF8')));
  return null;
end $$;

create or replace function number_of(text)
 returns bigint
 language sql
 immutable parallel safe
as $$ select hashtextextended($1, 0) $$;

create or replace function number_of_amount(wallet text, amount numeric)
 returns bigint
 language sql
 immutable parallel safe
as $$ select hashtextextended(wallet || ' ' || amount::text, 0) $$;

create or replace function only_forward()
 returns trigger
 language plpgsql
as $$
begin
  if new.chain <> old.chain or new.seq <= old.seq then
    raise exception 'the cursor of chain % only moves forward', old.chain using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function other_side(text)
 returns text
 language sql
 immutable parallel safe strict
as $$
  select substr($1, 1, 25)
      || translate(substr($1, 26, 1), '0123456789abcdefghjkmnpqrstvwxyz', 'ghjkmnpqrstvwxyz0123456789abcdef')
$$;

create or replace function paid_by_its_number()
 returns trigger
 language plpgsql
as $$
begin
  if not exists (select from agreement_charges c join agreements a on a.id = c.agreement_id
      where c.id = new.charge_id and a.payer_wallet = new.wallet_address and new.months >= a.first_month
        and c.period_no = (new.months - a.first_month) / a.period_months + 1) then
    raise exception 'payment % is not of the period of its charge', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;

create or replace function parties_have_cards()
 returns trigger
 language plpgsql
as $$
begin
  perform refuse_stale(
    (new.payer_card_id is not null and not exists (
      select from cards c where c.id = new.payer_card_id and c.wallet_address = new.payer_wallet))
    or (new.pay_link_code is not null and not exists (
      select from pay_links l where l.code = new.pay_link_code and l.wallet_address = new.merchant_wallet)));
  return null;
end $$;

create or replace function payout_time()
 returns timestamptz
 language sql
 stable
as $$
  select clock_timestamp() + coalesce((select offset_ms from dev_clock), 0) * interval '1 millisecond'
$$;

create or replace function post_settlements()
 returns trigger
 language plpgsql
 set enable_hashjoin to 'off'
 set enable_mergejoin to 'off'
as $$
declare
  seen record;
begin
  select min(s.batch) as batch_id, max(s.batch) as last_batch, string_agg(s.digest, ''::bytea order by s.id collate "C") as digests
    into seen from added s where s.batch is not null;
  if seen.batch_id is null then return null; end if;
  if seen.batch_id <> seen.last_batch then
    raise exception 'settlements of several batches in one statement' using errcode = 'check_violation';
  end if;
  if exists (
    select from added s
      left join ledger_accounts p on p.id = s.payer_account
      left join ledger_accounts r on r.id = s.receiver_account
      left join ledger_accounts f on f.id = s.fees_account
     where s.batch is not null
       and ((p.kind, p.owner, p.network, p.asset) is distinct from ('card', s.payer, s.network, s.asset)
         or (r.kind, r.owner, r.network, r.asset) is distinct from (
           case when s.pay_link_id is not null then 'card' when s.house_account is null then 'treasury' else s.house_account end,
           case when s.pay_link_id is not null then s.receiver_card_id when s.house_account is null then s.receiver_wallet
             when s.house_account = 'fee_meter' then s.payer_wallet else 'house' end, s.network, s.asset)
         or s.fee > 0 and (f.kind, f.owner, f.network, f.asset) is distinct from ('fees', 'house', s.network, s.asset))) then
    raise exception 'a settlement moves money of other accounts than its parties have' using errcode = 'check_violation';
  end if;
  if exists (select from added s join ledger_transfer_rows t on t.kind = 'settlement' and t.ref = s.id
      where s.batch is not null) then
    raise exception 'a settlement was posted before' using errcode = 'unique_violation', constraint = 'one_transfer_per_cause';
  end if;
  perform ledger_post(seen.batch_id, seen.digests, array_fill('settlement'::text, array[cardinality(v.accounts)]), v.accounts, v.amounts)
    from (select array_agg(l.account_id) as accounts, array_agg(l.amount) as amounts
            from added s cross join lateral (values (s.payer_account, -s.amount), (s.receiver_account, s.amount - s.fee),
              (s.fees_account, s.fee)) as l (account_id, amount)
           where s.batch is not null and l.amount <> 0) v;
  return null;
end $$;

create or replace function queue_direct_payment()
 returns trigger
 language plpgsql
as $$
begin
  insert into stats_queue (kind, ref)
  values (case new.state when 'settled' then 'direct' else 'direct_missing' end, new.id);
  return null;
end $$;

create or replace function queue_exception()
 returns trigger
 language plpgsql
as $$
begin
  insert into stats_queue (kind, ref) values ('exception', new.id);
  return null;
end $$;

create or replace function received_by_the_paid()
 returns trigger
 language plpgsql
as $$
begin
  if not exists (
      select from settlements s join pay_links l on l.id = s.pay_link_id
       where s.id = new.settlement_id and s.state = 'settled' and l.wallet_address = new.wallet_address)
    and not exists (
      select from direct_settlements s
       where s.id = new.settlement_id and s.state = 'settled' and s.exception_id is null
         and s.wallet_address = new.wallet_address)
    and not exists (
      select from x402_settlements s
       where s.id = new.settlement_id and s.state = 'settled' and s.finality <> 'missing'
         and s.pay_to = new.wallet_address) then
    raise exception 'payment % was not paid to %', new.settlement_id, new.wallet_address
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function recount_handed_over()
 returns trigger
 language plpgsql
as $$
begin
  update spending_caps k set counted_to = null where k.subject = new.id;
  update spending_caps k set former_cards = k.former_cards || new.id
    where k.subject = any(old.caps) and k.subject <> new.id and k.subject not like '0x%';
  return null;
end $$;

create or replace function recount_undone()
 returns trigger
 language plpgsql
as $$
declare
  family text[] := array(select k.id from cards c join cards k on k.id = c.id or k.id = any(c.ancestors)
    where c.id = new.card_id order by 1);
begin
  update cards set counted_to = null where id = any(family);
  update spending_caps k set counted_to = null where k.subject = new.wallet_address
    or k.subject in (select unnest(c.caps) from cards c where c.id = any(family)) or k.former_cards && family;
  return null;
end $$;

create or replace function refund_entry_id(at timestamptz, of text)
 returns text
 language sql
 immutable parallel safe
as $$
  select 'txn_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ((ms >> (5 * n)) & 31)::integer + 1, 1), '' order by n desc)
      || left(encode(sha256(convert_to(of, 'UTF8')), 'hex'), 16)
    from (select floor(extract(epoch from at) * 1000)::bigint as ms) t, generate_series(0, 9) n
$$;

create or replace function refuse_address_of_link()
 returns trigger
 language plpgsql
as $$
begin
  if exists (select from added s join pay_links l on l.deposit_address = s.pay_to) then
    raise exception 'a pay link''s own address is not paid through the facilitator' using errcode = 'check_violation';
  end if;
  return null;
end $$;

create or replace function refuse_change()
 returns trigger
 language plpgsql
as $$
begin
  raise exception '% is insert only', tg_table_name using errcode = 'check_violation';
end $$;

create or replace function refuse_paid_period()
 returns trigger
 language plpgsql
as $$
begin
  if exists (select from membership_payments p where p.wallet_address = new.wallet_address
      and p.undone_at is null and p.period_start < new.period_end and p.period_end > new.period_start) then
    raise exception 'the period is paid' using errcode = 'exclusion_violation', constraint = 'no_moment_paid_twice';
  end if;
  return new;
end $$;

create or replace function refuse_return_to_others()
 returns trigger
 language plpgsql
as $$
declare
  paid record;
begin
  select * into paid from ledger_transfer(new.reverses);
  if not found then
    raise exception 'transfer % takes back %, which does not exist', new.id, new.reverses
      using errcode = 'foreign_key_violation', constraint = 'what_comes_back_was_given';
  end if;
  if exists (
    select from unnest(new.accounts, new.amounts) as gain (account_id, amount)
      join ledger_accounts a on a.id = gain.account_id and not a.is_house
     where gain.amount > 0 and not exists (
       select from unnest(paid.accounts, paid.amounts) as gift (account_id, amount)
         left join cards c on c.account_id = gift.account_id
         left join lateral (
           select from_wallet from card_handovers where card_id = c.id and batch > paid.batch order by batch limit 1) h on true
        where gift.amount < 0 and (gift.account_id = a.id and h.from_wallet is null
          or a.kind = 'treasury' and a.owner = coalesce(h.from_wallet, c.wallet_address)))) then
    raise exception 'transfer % gives to others than the payer of %', new.id, new.reverses
      using errcode = 'check_violation', constraint = 'returns_to_whoever_paid';
  end if;
  return null;
end $$;

create or replace function refuse_second_posting()
 returns trigger
 language plpgsql
as $$
begin
  if exists (select from settlements where id = new.ref and batch is not null) then
    raise exception 'settlement % is its own transfer', new.ref
      using errcode = 'unique_violation', constraint = 'one_transfer_per_cause';
  end if;
  return null;
end $$;

create or replace function refuse_second_use()
 returns trigger
 language plpgsql
as $$
begin
  if (tg_table_name = 'deposits' and exists (select from pulls p where p.network = new.network
        and p.tx_hash = new.tx_hash and p.log_index = new.log_index))
     or (tg_table_name = 'pulls' and new.tx_hash is not null and exists (select from deposits d
        where d.network = new.network and d.tx_hash = new.tx_hash and d.log_index = new.log_index)) then
    raise exception 'transfer % % was used before', new.tx_hash, new.log_index
      using errcode = 'unique_violation', constraint = 'one_use_per_transfer', table = tg_table_name;
  end if;
  return new;
end $$;

create or replace function refuse_stale(is_stale boolean)
 returns void
 language plpgsql
as $$
begin
  if is_stale then
    raise exception 'a row that was read has changed' using errcode = 'serialization_failure';
  end if;
end $$;

create or replace function refuse_strange_child()
 returns trigger
 language plpgsql
as $$
begin
  if not exists (select from cards p where p.id = new.ancestors[cardinality(new.ancestors)]
      and p.ancestors || p.id = new.ancestors and p.status = 'ACTIVE' and p.kind = 'spending'
      and p.settlement_mode = 'CUSTODIAL' and not p.single_use
      and (p.wallet_address, p.network, p.asset) = (new.wallet_address, new.network, new.asset)
      and new.limit_amount <= p.limit_amount - p.spent - p.held - p.delegated
      and (p.expires_at is null or new.expires_at <= p.expires_at)) then
    raise exception 'card % is not within the card above it', new.id
      using errcode = 'check_violation', constraint = 'a_child_is_within_its_parent';
  end if;
  return new;
end $$;

create or replace function refuse_system_address()
 returns trigger
 language plpgsql
as $$
begin
  raise exception 'an address of the chain itself names nobody in %', tg_table_name
    using errcode = 'check_violation', constraint = 'an_address_of_a_person', table = tg_table_name;
end $$;

create or replace function refuse_uncounted_children()
 returns trigger
 language plpgsql
as $$
begin
  if exists (select from cards p join cards k on k.ancestors[cardinality(k.ancestors)] = p.id
        and k.ancestors <> '{}' and k.status <> 'CLOSED'
      where p.id in (new.id, new.ancestors[cardinality(new.ancestors)])
      group by p.id
      having p.delegated < sum(k.spent + k.held + k.delegated) or p.status = 'CLOSED'
        or bool_or(k.wallet_address <> p.wallet_address)) then
    raise exception 'card % or the one above it does not count what is below', new.id
      using errcode = 'check_violation', constraint = 'children_are_counted';
  end if;
  return null;
end $$;

create or replace function refuse_unknown_cards()
 returns trigger
 language plpgsql
as $$
begin
  if exists (select from added r where not exists (select from cards c where c.id = r.card_id)) then
    raise exception 'a row of % names a card that does not exist', tg_table_name using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create or replace function refuse_unknown_settlement()
 returns trigger
 language plpgsql
as $$
begin
  if not exists (select from settlements s where s.id = new.settlement_id)
     and not exists (select from membership_payments p where p.id = new.settlement_id and p.charge_id = new.id) then
    raise exception 'charge % names a settlement that does not exist', new.id using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create or replace function reserve_pays_membership_only()
 returns trigger
 language plpgsql
as $$
begin
  if (select coalesce(sum(t.gained - t.gave), 0) from ledger_totals t where t.account_id = new.id
        and (t.kind, t.gave = 0, t.gained = 0) in (('membership_reserve', true, false), ('membership', false, true),
          ('membership_reserve_returned', false, true)))
     <> (select posted from ledger_accounts where id = new.id) then
    raise exception 'account % is the reserve of a membership and pays for nothing else', new.id
      using errcode = 'check_violation', constraint = 'reserve_pays_membership_only';
  end if;
  return null;
end $$;

create or replace function sealed_text(source jsonb, columns text[])
 returns text
 language sql
 immutable parallel safe
as $$
  select jsonb_agg(source -> c order by n)::text from unnest(columns) with ordinality as u (c, n)
$$;

create or replace function seller_has_card()
 returns trigger
 language plpgsql
as $$
begin
  perform refuse_stale(not exists (
    select from cards c where c.id = new.card_id and c.wallet_address = new.wallet_address
      and not is_on_sale(c.status_reason)));
  return null;
end $$;

create or replace function service_time()
 returns timestamptz
 language sql
 stable
as $$
  select clock_timestamp() + coalesce((select offset_ms from dev_clock), 0) * interval '1 millisecond'
$$;

create or replace function settlement_fact(settlements)
 returns bytea
 language sql
 stable
as $$
  select sha256(convert_to(array_to_string(array[$1.id, $1.pay_link_id, $1.receiver_card_id, $1.receiver_wallet,
    $1.house_account, $1.protocol, $1.payer, $1.payer_wallet, $1.amount::text, $1.fee::text, $1.network, $1.asset,
    $1.decimals::text, $1.agreement_id, $1.mandate_id, $1.mandate_currency, $1.mandate_amount::text, $1.open_id,
    $1.decided_on::text, to_char($1.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    $1.payer_account::text, $1.receiver_account::text, $1.fees_account::text], E'\n', '-'), 'UTF8') || coalesce($1.mandate, ''))
$$;

create or replace function settlement_id_time(id text)
 returns timestamptz
 language sql
 immutable parallel safe
as $$
  select to_timestamp(sum((position(substr(id, 14 - n, 1) in '0123456789abcdefghjkmnpqrstvwxyz') - 1)::bigint << (5 * n)) / 1000.0)
    from generate_series(0, 9) n
$$;

create or replace function settlement_parties()
 returns trigger
 language plpgsql
as $$
begin
  if exists (
    select from added s where s.pay_link_id is not null and not exists (
      select from pay_links l where l.id = s.pay_link_id and l.token is null
         and (s.receiver_card_id is null or (l.card_id = s.receiver_card_id and l.wallet_address = s.receiver_wallet))
      offset 0)) then
    raise exception 'a settlement names a pay link that does not exist or is DIRECT, or not its receiver'
      using errcode = 'foreign_key_violation';
  end if;
  if exists (
    select from added s where s.payer_wallet is not null and not exists (
      select from cards c where c.id = s.payer and c.wallet_address = s.payer_wallet offset 0)) then
    raise exception 'a settlement names a card that does not exist, or not its wallet'
      using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create or replace function spending_facts(ids text[], since timestamptz)
 returns table(card_id text, wallet text, at timestamptz, amount numeric)
 language sql
 stable
as $$
  select c.id, s.payer_wallet, s.created_at, s.amount from unnest(ids) as c (id)
    join settlements s on number_of(s.payer) = number_of(c.id) and is_same(s.payer, c.id)
      and s.id >= 'stl_' || id_time(since) and s.created_at >= since and s.batch is not null
  union all
  select c.id, coalesce((select o.from_wallet from card_handovers o where c.owner_no > 0 and o.card_id = c.id
      and o.created_at > h.created_at order by o.owner_no limit 1), c.wallet_address),
    h.created_at, case h.state when 'open' then h.amount else h.captured end
    from cards c join ledger_holds h on h.account_id = c.account_id and h.id >= 'hold_' || id_time(since)
      and h.created_at >= since and h.state <> 'released'
    where c.id = any(ids) and not exists (select from outbound_payments p where p.hold_id = h.id and p.state = 'undone')
$$;

create or replace function tally_changed_deliveries()
 returns trigger
 language plpgsql
as $$
begin
  insert into webhook_tallies (webhook_id, status, count)
  select distinct webhook_id, status, 0 from new_rows order by webhook_id, status on conflict do nothing;
  -- In one order for all, so that no two transactions wait for each other.
  perform from webhook_tallies t where exists (select from new_rows n where n.webhook_id = t.webhook_id)
    order by webhook_id, status for update;
  update webhook_tallies t set count = t.count + changed.by
  from (select webhook_id, status, sum(change) as by from (
      select webhook_id, status, 1 as change from new_rows
      union all select webhook_id, status, -1 from old_rows) one
    group by webhook_id, status having sum(change) <> 0) changed
  where (t.webhook_id, t.status) = (changed.webhook_id, changed.status);
  return null;
end $$;

create or replace function tally_new_deliveries()
 returns trigger
 language plpgsql
as $$
begin
  if exists (select from (select distinct webhook_id from new_rows) n
      where not exists (select from webhooks w where w.id = n.webhook_id)) then
    raise exception 'a delivery is of a webhook' using errcode = 'foreign_key_violation';
  end if;
  insert into webhook_tallies (webhook_id, status, count)
  select webhook_id, status, count(*) from new_rows group by webhook_id, status order by webhook_id, status
  on conflict (webhook_id, status) do update set count = webhook_tallies.count + excluded.count;
  return null;
end $$;

create or replace function tells_hour(hour text, counted_to text, other text)
 returns boolean
 language sql
 immutable
as $$ select counted_to is not null and (other = hour or (other > hour and hour = left(counted_to, 13))) $$;

create or replace function time_payout_address()
 returns trigger
 language plpgsql
as $$
begin
  if tg_op = 'INSERT' then
    new.added_at := payout_time();
    new.removed_at := null;
  elsif old.removed_at is null
      and (old.id, old.wallet_address, old.address, old.added_at) = (new.id, new.wallet_address, new.address, new.added_at) then
    new.removed_at := payout_time();
  else
    raise exception 'payout address % can only be removed, once', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;

create or replace function tried_until(period_end timestamptz)
 returns timestamptz
 language sql
 immutable
as $$
  select (period_end at time zone 'UTC' + interval '169 hours') at time zone 'UTC'
$$;

create or replace function week_of(day date)
 returns date
 language sql
 immutable
return (day - ((extract(isodow from day))::integer - 1));

create or replace function words_as_found(wallet text, said text)
 returns tsvector
 language sql
 immutable parallel safe
as $$
  select array_to_tsvector(array(
    select substr(md5(wallet), 1, 8) || left(w, 40)
    from regexp_split_to_table(lower(said), '[[:space:][:punct:]]+') w where w <> '' limit 40))
$$;

create or replace function words_to_find(wallet text, said text)
 returns tsquery
 language sql
 immutable parallel safe
as $$
  select string_agg(quote_literal(w) || ':*', ' & ')::tsquery from unnest(tsvector_to_array(words_as_found(wallet, said))) w
$$;
