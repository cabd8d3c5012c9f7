import { perServices, type Uses } from '../../../api/http/services.ts'
import { assemble } from '../../../base/db/lanes/assemble.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { amount } from '../../../base/kernel/money.ts'
import {
  type FacilitatedPayment,
  type FacilitatorBody,
  readFacilitated,
} from '../../../base/protocols/x402/facilitator.ts'
import { type Refused, refused } from '../../../base/protocols/x402/refusal.ts'
import { findSend } from '../../../chain/relay/send.ts'
import { readStart, type Start } from '../../../chain/relay/start.ts'
import { searchFrom } from '../../../chain/transfers/reads/schedule.ts'
import { type Claimed, over, runTransfer } from '../../../chain/transfers/run.ts'
import { callOfSend, isUnsent } from '../../../chain/transfers/sends.ts'
import { listingAsked } from '../discovery/listing.ts'
import { findClaimed, findSettlement, type Settlement, takeAnswer } from '../store.ts'
import { claimLane, sendRef } from './claim.ts'
import {
  type Asker,
  carryOn,
  duplicateOf,
  end,
  lifeOf,
  nothingSent,
  type Outcome,
  turnAway,
} from './finish.ts'
import { askTokenAgain, type Carriable, lookAt, unlessSilent } from './payment.ts'
import { flightOf } from './ration.ts'

/** A request to settle: the seller's wallet, the seller's name for the request, and the payment. */
export type SettleAsk = {
  walletAddress: Address
  idempotencyKey: string | null
  body: FacilitatorBody
}

/** Longer than any request waits for a block, in seconds: after this the caller of a claim is gone. */
export const LEASE_SECONDS = 30
/** The search for uses of an authorization begins so many blocks before the newest: half an hour on Base. */
const LOOK_BACK_BLOCKS = 1_000n

/**
 * Settles a payment: claims its authorization, submits the transfer and reports what the chain shows. A success is
 * reported to one of the callers that present the authorization; to one that comes back after `pending`; and to every
 * repeat of a request that a payment identifier or Idempotency-Key names.
 */
export async function settle(
  services: Uses<'chain' | 'clock' | 'db' | 'lanes' | 'log' | 'relay' | 'settings'>,
  at: Date,
  ask: SettleAsk,
): Promise<Outcome> {
  const read = readFacilitated(ask.body)
  if (!read.ok) return refusedAs(read)
  const { payment } = read
  const payer = payment.authorization.from
  const bound = bindingRefusal(services, ask, payment)
  if (bound) return refusedAs(bound, payer)
  if (payment.amount > payment.authorization.value) return refusedAs(EXCEEDED, payer)
  if (payment.amount === 0n) return useNothing(services, at, { ask, payment })
  const outcome = await runTransfer<Good, Outcome>(services, {
    async look() {
      const [looked, start] = (await lookOnce(services, at, { ask, payment })) ?? [CHAIN_SILENT]
      if (start && looked.ok) return { kind: 'good', good: { looked, start } }
      const refusal = looked.ok ? CHAIN_SILENT : looked
      return over(await answerKnown(services, at, { ask, payment, refusal }))
    },
    claim: (good) => claim(services, at, { ask, payment, ...good }),
    onRationed: (rationed) => ({ kind: 'rationed', rationed, payer }),
  })
  reach('facilitator.after_end')
  return outcome
}

/**
 * Answers for an upto payment of which nothing was used: nothing is claimed or sent. The permit stays as it is, for its
 * seller alone to use while it lasts.
 */
async function useNothing(
  services: Uses<'chain' | 'db' | 'log' | 'settings'>,
  at: Date,
  { ask, payment }: Asked,
): Promise<Outcome> {
  const payer = payment.authorization.from
  const { walletAddress } = ask
  const looked =
    (await unlessSilent(services, () => lookAt(services, at, { payment, walletAddress }))) ??
    CHAIN_SILENT
  if (!looked.ok) return refusedAs(looked, payer)
  const named = { walletAddress, paymentIdentifier: null }
  const known = await findClaimed(services.db.reader, { ...keyOf(payment), ...named })
  if (known) return refusedAs(PRESENTED, payer)
  return looked.refusal ? refusedAs(looked.refusal, payer) : { kind: 'unused', payer }
}

type Good = { looked: Carriable; start: Start }
type Asked = { ask: SettleAsk; payment: FacilitatedPayment }

async function claim(
  services: Uses<'chain' | 'clock' | 'db' | 'lanes' | 'log' | 'relay' | 'settings'>,
  at: Date,
  { ask, payment, looked, start }: Asked & Good,
): Promise<Claimed<Outcome>> {
  const settlement = claimOf(at, { ask, looked })
  const by = { ref: sendRef(settlement.id), seller: ask.walletAddress }
  const { refusal } = looked
  const claimed = await services.lanes.submit(claimLane, {
    settlement,
    call: looked.call,
    limits: services.settings.gas,
    carry: refusal ? undefined : { start, flight: flightOf(services, looked, by) },
  })
  reach('facilitator.claimed')
  const { isClaimed, rationed, started } = claimed
  if (rationed) return { kind: 'rationed', rationed }
  if (!isClaimed) return over(await answerKnown(services, at, { ask, payment }))
  const asked = { settlement, asker: 'first' } as const
  if (refusal) return over(await turnAway(services, at, { ...asked, refusal }))
  return { kind: 'claimed', life: lifeOf(services, at, { ...asked, started }) }
}

/** Answers for a payment that was presented before, or that was refused. */
async function answerKnown(
  services: Uses<'chain' | 'clock' | 'db' | 'lanes' | 'log' | 'relay' | 'settings'>,
  at: Date,
  { ask, payment, refusal }: Asked & { refusal?: Refused },
): Promise<Outcome> {
  const known = await findClaimed(services.db.reader, {
    ...keyOf(payment),
    walletAddress: ask.walletAddress,
    paymentIdentifier: payment.payload.paymentIdentifier ?? null,
  })
  const isSame =
    known?.walletAddress === ask.walletAddress && known.payloadHash.equals(payment.hash)
  if (known && isSame) return resume(services, at, { ask, known })
  const isOtherPayment = known !== undefined && known.nonce !== payment.authorization.nonce
  const reason = refusal ?? (isOtherPayment ? IDENTIFIER_USED : PRESENTED)
  return refusedAs(reason, payment.authorization.from)
}

const lookOnce = (
  services: Uses<'chain' | 'db' | 'log' | 'relay' | 'settings'>,
  at: Date,
  { ask: { walletAddress }, payment }: Asked,
) =>
  claimTogether(services)(() =>
    unlessSilent(services, () =>
      Promise.all([lookAt(services, at, { payment, walletAddress }), readStart(services.relay)]),
    ),
  )

/** A transaction costs 6 ms of two cores, and a payment in it a tenth of that: those who come at once share one. */
const claimTogether = perServices(() => assemble(4))

const EXCEEDED = refused(
  'invalid_upto_evm_payload_settlement_exceeds_amount',
  'The amount is more than the payer allowed.',
)
const PRESENTED = refused('duplicate_settlement', 'This payment was presented before.')
const IDENTIFIER_USED = refused(
  'duplicate_settlement',
  'The payment identifier was used for another payment.',
)

/**
 * Why the payment may not pay `payTo`, if the operator binds sellers to their own wallets. Of an upto payment the caller
 * says how much was used, so the payee alone may: else its payer could present it first, for almost nothing.
 */
function bindingRefusal(
  { settings }: Uses<'settings'>,
  { walletAddress }: SettleAsk,
  { requirements, method }: FacilitatedPayment,
): Refused | undefined {
  if (requirements.payTo === walletAddress) return undefined
  if (method === 'upto')
    return refused(
      'invalid_payment_requirements',
      'By upto the payee says how much was used: payTo must be the wallet of the API key.',
    )
  if (settings.facilitator.payTo === 'any') return undefined
  return refused(
    'invalid_payment_requirements',
    'This facilitator settles for its own users: payTo must be the wallet of the API key.',
  )
}

const keyOf = ({ requirements, authorization: { from, nonce } }: FacilitatedPayment) => ({
  network: requirements.network,
  token: requirements.asset,
  payer: from,
  nonce,
})

function claimOf(at: Date, { ask, looked }: { ask: SettleAsk; looked: Carriable }): Settlement {
  const { payment, latest } = looked
  const { payload, requirements, authorization, method } = payment
  const url = payload.resourceUrl
  return {
    ...keyOf(payment),
    method,
    id: newId('fst', at),
    walletAddress: ask.walletAddress,
    payTo: requirements.payTo,
    amount: amount(payment.amount),
    validBefore: authorization.validBefore,
    fromBlock: searchFrom(latest.number, LOOK_BACK_BLOCKS),
    x402Version: payload.x402Version,
    payloadHash: payment.hash,
    paymentIdentifier: payload.paymentIdentifier ?? null,
    idempotencyKey: ask.idempotencyKey,
    resourceUrl: url !== undefined && url.length <= 2_048 ? url : null,
    listing: listingAsked(payment) ?? null,
    state: 'settling',
    reason: null,
    detail: null,
    txHash: null,
    logIndex: null,
    finality: 'waiting',
    nextAnswerAt: addSeconds(at, LEASE_SECONDS),
    createdAt: at,
    endedAt: null,
  }
}

const CHAIN_SILENT = refused(
  'unexpected_settle_error',
  'The chain did not answer. Nothing was sent: try again in a moment.',
)

/** Answers the same request again. */
async function resume(
  services: Uses<'chain' | 'clock' | 'db' | 'lanes' | 'log' | 'relay' | 'settings'>,
  at: Date,
  { ask, known }: { ask: SettleAsk; known: Settlement },
): Promise<Outcome> {
  const isNamed =
    known.paymentIdentifier !== null ||
    (known.idempotencyKey !== null && known.idempotencyKey === ask.idempotencyKey)
  if (isNamed || known.state === 'failed')
    return resumeCarrying(services, at, { settlement: known, asker: 'named' })
  const until = addSeconds(at, LEASE_SECONDS)
  const isNext = await services.db.write((tx) => takeAnswer(tx, at, known.id, until))
  return isNext
    ? resumeCarrying(services, at, { settlement: known, asker: 'next' })
    : duplicateOf(known)
}

/**
 * Resumes a settlement whose first caller is gone or was answered `pending`. If no relayer has submitted it yet, it is
 * submitted only if the token would take it.
 */
export async function resumeCarrying(
  services: Uses<'chain' | 'clock' | 'db' | 'lanes' | 'log' | 'relay' | 'settings'>,
  at: Date,
  { settlement: { id, payer }, asker }: { settlement: Settlement; asker: Asker },
): Promise<Outcome> {
  const send = await findSend(services, sendRef(id))
  const settlement = await findSettlement(services.db.reader, id)
  if (!settlement) return nothingSent('The payment was given back. Try again.', payer)
  const asked = { settlement, asker }
  if (settlement.state !== 'settling') return carryOn(services, at, asked)
  // A process withdrew its send and died before it stored the reason.
  if (!send)
    return end(services, { ending: { id, state: 'failed', ...WITHDRAWN, isOnChain: false }, asker })
  if (isUnsent(send)) {
    const call = callOfSend(send)
    const refusal = await unlessSilent(services, () => askTokenAgain(services, settlement, call))
    if (refusal) return turnAway(services, at, { ...asked, refusal })
  }
  return carryOn(services, at, asked)
}

const WITHDRAWN = {
  reason: 'invalid_exact_evm_transaction_simulation_failed',
  detail: 'The token refused the transfer. Nothing was sent.',
}

const refusedAs = ({ reason, detail }: Refused, payer?: Address): Outcome => ({
  kind: 'refused',
  reason,
  detail,
  ...(payer ? { payer } : {}),
})
