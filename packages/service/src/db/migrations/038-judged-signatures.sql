-- The signature that an authorization was claimed with, so that the same bytes are known again after the contract that
-- signed them has another owner. Claims of before have none: their signatures are judged anew.
set local lock_timeout = '5s';

alter table pay_link_confirmations
  add column signature_digest bytea check (length(signature_digest) = 32);
