import { keptNonces } from '../../../api/agents/jobs.ts'
import { keptAnswers } from '../../../api/http/idempotency.ts'
import type { Settings } from '../../../api/http/settings.ts'
import { keptSignIns } from '../../../api/keys/jobs.ts'
import { keptRequests } from '../../../api/requests/jobs.ts'
import { keptBodies, keptEvents } from '../../../api/webhooks/deliver/jobs.ts'
import type { Kept } from '../../../base/jobs/kept.ts'
import { keptLookups } from '../../../business/credentials/jobs.ts'
import { keptRations } from '../../../business/identity/jobs.ts'
import { keptAddresses } from '../../../money/treasury/withdrawals/safety/store-addresses.ts'
import { keptPayments } from '../../../rails/paywall/store.ts'
import { keptPurchases } from '../../../rails/spending/purchases.ts'

/** The settings that say how long something is kept. */
export type KeepingSettings = Pick<Settings, 'webhooks' | 'eventDays'>

/** Everything that is deleted for its age. */
export const KEPT: readonly Kept<KeepingSettings>[] = [
  ...keptSignIns,
  keptNonces,
  keptRequests,
  keptAnswers,
  keptAddresses,
  keptPurchases,
  keptPayments,
  keptBodies,
  keptEvents,
  keptLookups,
  keptRations,
]

/** Rows that are kept for ever, by the largest tables. Settlements are listed by month. */
export const FOR_EVER: readonly { kind: string; what: string; tables: readonly string[] }[] = [
  {
    kind: 'ledger',
    what: 'transfers with a row of their own, and the hash chains',
    tables: ['ledger_transfer_rows', 'ledger_batches', 'ledger_checkpoints', 'seals'],
  },
  {
    kind: 'paid_once',
    what: 'mandates and authorizations that have paid',
    tables: ['paid_mandates', 'settled_authorizations'],
  },
  {
    kind: 'card_histories',
    what: 'decisions and transactions of cards that are not settlements',
    tables: ['card_decision_rows', 'card_transaction_rows', 'card_refunds', 'refund_entries'],
  },
  {
    kind: 'mandates',
    what: 'open mandates, signed mandates and receipts',
    tables: ['ap2_open_mandates', 'ap2_signed_mandates', 'ap2_receipts'],
  },
  {
    kind: 'chain',
    what: 'transactions of the relayers, and transfers on chain',
    tables: ['chain_sends', 'chain_attempts', 'watched_transfers', 'pay_link_logs'],
  },
  { kind: 'webhook_log', what: 'deliveries of webhooks', tables: ['webhook_deliveries'] },
  {
    kind: 'sealed_keys',
    what: 'sealed keys of cards and of the service',
    tables: ['ap2_card_keys', 'service_signing_keys', 'request_signing_keys'],
  },
  {
    kind: 'acts',
    what: 'acts of operators and with keys, and alarms',
    tables: ['audit_acts', 'alarms'],
  },
]
