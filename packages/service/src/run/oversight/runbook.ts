import type { AlarmKind } from '../../links/reconcile/store.ts'

/** The first step for each kind of alarm. `docs/operating.md` has the others, below a heading of the same name. */
export const FIRST_STEPS: Readonly<Record<AlarmKind, string>> = {
  custody:
    'Run "npx purser verify": it shows every term of the comparison. While money is missing, payouts hold by themselves.',
  not_compared:
    'Look whether a node answers and a worker runs: "npx purser doctor" asks both. The log says why no comparison was made.',
  moved_transfer:
    'Look the transaction up on the chain and in the books. If the chain has dropped it for good, the credit has no money behind it.',
  missing_settlement:
    'The log names each payment. Wait for the payer to pay again, or settle it with the seller.',
  missing_pull:
    'Membership takes back what the pull paid. Ask the wallet to pay the period again, or let it end.',
  undone_payout:
    'Wait until the time in the sentence: until then the payout may come again. After it the money is still in custody.',
  no_depositor:
    'Look the newest transaction up: find whose money it is, and ask the sender for a transfer from a wallet next time.',
  relayer_gas_low: 'Send some of the chain’s coin to the relayer’s address.',
  relayer_gas_out:
    'Send some of the chain’s coin to the relayer’s address. It goes on by itself within a minute.',
  books:
    'Stop payouts with "npx purser payouts stop", run "npx purser verify", and keep the database as it is until you know why.',
  checkpoint:
    'Stop payouts with "npx purser payouts stop", and compare the last anchor that you keep elsewhere with "npx purser verify --anchor".',
  clock:
    'Set the clock by NTP, on the machine or on the server of the database. Everything is due by the database’s clock.',
  database:
    'It takes writes again. The sentence says what was wrong: see that it does not come back, such as a disk that is nearly full.',
  outside_months:
    'Look whether a worker runs: its job make_months makes the months, and moves these settlements into them.',
}

/** The place of an alarm's steps in the documentation. */
export const runbookOf = (kind: AlarmKind): string =>
  `docs/operating.md#alarm-${kind.replaceAll('_', '-')}`
