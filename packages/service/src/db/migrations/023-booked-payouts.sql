-- Payouts that were booked as gone not long ago are looked for on the chain once more: a reorganisation deeper than safe
-- may have taken one away.
set local lock_timeout = '5s';

create index outbound_payments_ended on outbound_payments (ended_at) where state = 'final';
