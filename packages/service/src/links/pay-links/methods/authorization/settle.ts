import { setTimeout as sleep } from 'node:timers/promises'
import type { BuiltEvent } from '../../../../api/events/define.ts'
import { record } from '../../../../api/events/record.ts'
import { paymentFailed } from '../../../../api/events/types/payments.ts'
import type { Services } from '../../../../api/http/services.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import type { Address, Asset, Hex } from '../../../../base/kernel/assets.ts'
import { reach } from '../../../../base/kernel/fault-points.ts'
import { type Id, newId } from '../../../../base/kernel/ids.ts'
import { amount } from '../../../../base/kernel/money.ts'
import type { TransferAuthorization } from '../../../../base/protocols/evm/eip3009/authorization.ts'
import { refusedByToken } from '../../../../base/protocols/x402/refusal.ts'
import { nonceOf } from '../../../../chain/client/chain.ts'
import { searchFrom } from '../../../../chain/client/transfers/schedule.ts'
import {
  gasOfTransfer,
  simulateTransfer,
  transferCalls,
} from '../../../../chain/client/transfers/signed-transfer.ts'
import type { Funds } from '../../../../chain/client/transfers/simulate.ts'
import {
  type AgreedTransfer,
  readTransferEnd,
  TRANSFER_REFUSED,
  type TransferEnd,
} from '../../../../chain/client/transfers/standing.ts'
import { refusalOfRation } from '../../../../chain/relay/gas/refusal.ts'
import {
  isMomentary,
  LOOK_AGAIN_MS,
  LOOKS_MOST,
  release,
} from '../../../../chain/relay/gas/reserve.ts'
import { type SendState, sendAndWait, transferLogOf } from '../../../../chain/relay/send.ts'
import {
  failSettlement,
  findSettlement,
  findSettlementByAuthorization,
} from '../../../../money/settlements/on-chain/store.ts'
import { settleRef } from '../../../../money/settlements/on-chain/store-confirmations.ts'
import type { LinkSettlement } from '../../../../money/settlements/settlement.ts'
import type { PaidLog } from '../../credit.ts'
import { findLinkById, lockLink, type PayLink, saveLinks } from '../../store.ts'
import { sweepCall } from '../on-chain/sweep.ts'
import { type Claim, type ClaimOutcome, claimLane } from './claim.ts'
import { signatureDigest } from './payer.ts'
import type { AuthorizedOutcome, AuthorizedPayment } from './payment.ts'
import { settleCarried } from './settle-carried.ts'
import { settleLane } from './settle-claimed.ts'
import { USED_ELSEWHERE } from './used.ts'

const WAIT_MS = 12_000
/** The most gas for the sweep and for the call that combines it with the transfer. */
const COMBINED_SWEEP_GAS = 270_000n

/** The settlement that an authorization was claimed for before, whichever protocol brought it. */
export const findClaimed = (
  { db }: Pick<Services, 'db'>,
  link: PayLink,
  { from, nonce }: Pick<TransferAuthorization, 'from' | 'nonce'>,
): Promise<LinkSettlement | undefined> =>
  findSettlementByAuthorization(db.reader, {
    network: link.network,
    asset: link.asset,
    payer: from,
    nonce: plain(nonce),
  })

/** As the chain's logs write it: letter case makes no other authorization of it. */
const plain = (nonce: Hex): Hex => nonce.toLowerCase() as Hex

/**
 * Settles a link by an EIP-3009 authorization: claims it and a use of the link, carries the transfer to the chain, and
 * credits once the chain shows it. Throws what `closedProblem` says of a link that takes no payment.
 */
export async function settleByAuthorization(
  services: Services,
  at: Date,
  payment: AuthorizedPayment,
  looks = 1,
): Promise<AuthorizedOutcome> {
  const { link, authorization } = payment
  const { revert, funds } = await simulateTransfer(services.chain, payment)
  if (revert) {
    const { reason, detail } = refusedByToken(revert)
    const carried =
      reason === 'invalid_exact_evm_nonce_already_used' &&
      (await settleCarried(services, at, payment))
    return carried || { kind: 'refused', reason, detail }
  }
  const outcome = await claim(services, at, { payment, funds })
  reach('pay_links.claimed')
  if (outcome.kind === 'rationed') {
    if (isMomentary(outcome.rationed) && looks < LOOKS_MOST) {
      await sleep(LOOK_AGAIN_MS)
      return settleByAuthorization(services, at, payment, looks + 1)
    }
    const { code, detail, headers } = refusalOfRation(outcome.rationed)
    return { kind: 'refused', reason: code, detail, headers }
  }
  if (outcome.kind === 'closed') throw outcome.problem
  if (outcome.kind === 'claimed')
    return carryOn(services, at, { link, settlement: outcome.settlement, isOurs: true })
  const settlement = await findClaimed(services, link, authorization)
  // Another seller's payment may have claimed it.
  return settlement
    ? resumeSettlement(services, at, { link, settlement, authorization })
    : USED_ELSEWHERE
}

/** Writes the claim, the reserved use and the transaction to send, together with those of other payers. */
async function claim(
  services: Services,
  at: Date,
  { payment, funds }: { payment: AuthorizedPayment; funds: Funds },
): Promise<ClaimOutcome> {
  const { chain, lanes, settings } = services
  const { link, head, protocol, authorization, signature, signed } = payment
  const value = amount(authorization.value)
  const id = newId('stl', at)
  const settlement: Claim['settlement'] = {
    id,
    payLinkId: link.id,
    protocol,
    payer: authorization.from,
    amount: value,
    network: link.network,
    asset: link.asset,
    state: 'settling',
    reason: null,
    authNonce: plain(authorization.nonce),
    fromBlock: searchFrom(head),
    txHash: null,
    isSwept: true,
    createdAt: at,
    settledAt: null,
  }
  const { to: target, data: callData } = await sweepCall(chain, at, { link, value, ref: id })
  return lanes.submit(claimLane, {
    code: link.code,
    settlement,
    standard: settings.fee,
    validBefore: authorization.validBefore,
    token: chain.asset.contract,
    funds,
    limits: settings.gas,
    signatureDigest: signatureDigest(signature),
    calls: [...transferCalls(chain, payment), { target, callData }],
    gas: gasOfTransfer(signed) + COMBINED_SWEEP_GAS,
  })
}

/**
 * Whether the claimed settlement is what the authorization pays. Its payer may have signed others with the same nonce:
 * the token takes one of them.
 */
export const isPaidBy = (
  settlement: LinkSettlement,
  link: PayLink,
  { value }: TransferAuthorization,
): boolean => settlement.payLinkId === link.id && settlement.amount === value

/** Tells a claimed payment as it stands, and carries it on: the same authorization again answers the same settlement. */
export async function resumeSettlement(
  services: Services,
  at: Date,
  of: { link: PayLink; settlement: LinkSettlement; authorization: TransferAuthorization },
): Promise<AuthorizedOutcome> {
  if (isPaidBy(of.settlement, of.link, of.authorization))
    return finishSettlement(services, at, of.settlement.id)
  return USED_ELSEWHERE
}

/** Carries a claimed settlement on from wherever it stands. Safe to run twice and at once. */
export async function finishSettlement(
  services: Services,
  at: Date,
  id: Id<'stl'>,
): Promise<AuthorizedOutcome> {
  const { db } = services
  const settlement = await findSettlement(db.reader, id)
  const link = settlement && (await findLinkById(db.reader, settlement.payLinkId))
  assert(settlement && link, `settlement ${id} and its link exist`)
  return carryOn(services, at, { settlement, link, isOurs: false })
}

type Claimed = { link: PayLink; settlement: LinkSettlement }

async function carryOn(
  services: Services,
  at: Date,
  { link, settlement, isOurs }: Claimed & { isOurs: boolean },
): Promise<AuthorizedOutcome> {
  if (settlement.state !== 'settling') return ended(settlement, link)
  const sent = await sendAndWait(services.relay, settleRef(settlement.id), WAIT_MS)
  if (!sent?.hash) return { kind: 'pending', settlement }
  // An earlier result is read again: a reorganization may have removed it since.
  const end =
    (isOurs ? paidBy(sent) : undefined) ??
    (await readEnd(services, { link, settlement }, sent.hash))
  reach('pay_links.before_settle')
  if (end.kind === 'paid') {
    const { log, isSwept } = end
    const arrival = { code: link.code, settlement, asset: services.chain.asset, log, isSwept }
    const settled = await services.lanes.submit(settleLane, arrival)
    reach('pay_links.after_settle')
    if (settled) return { kind: 'settled', ...settled }
  } else if (end.kind === 'refused') await fail(services, at, settlement)
  const now = await findSettlement(services.db.reader, settlement.id)
  const linkNow = await findLinkById(services.db.reader, link.id)
  assert(now && linkNow, 'a settlement and its link stay')
  return ended(now, linkNow)
}

function ended(settlement: LinkSettlement, link: PayLink): AuthorizedOutcome {
  if (settlement.state === 'settled') return { kind: 'settled', settlement, link }
  if (settlement.state === 'settling') return { kind: 'pending', settlement }
  return {
    kind: 'refused',
    reason: 'invalid_exact_evm_transaction_failed',
    detail: settlement.reason ?? 'The transfer failed on chain.',
  }
}

type Paid = { kind: 'paid'; log: PaidLog; isSwept: boolean }

/** The logs of transfer and sweep that the relay has just read for the whole batch. */
function paidBy(send: SendState): Paid | undefined {
  const log = transferLogOf(send)
  return log && { kind: 'paid', log, isSwept: typeof send.logIndexes?.[1] === 'number' }
}

async function readEnd(
  { chain }: Services,
  claimed: Claimed,
  sentHash: Hex,
): Promise<Paid | Exclude<TransferEnd, { kind: 'paid' }>> {
  const fromBlock = claimed.settlement.fromBlock ?? 0n
  const end = await readTransferEnd(chain, agreedBy(claimed), { sentHash, fromBlock })
  if (end.kind !== 'paid') return end
  const sweptBy = nonceOf('sweep', claimed.settlement.id)
  const isSwept = end.own?.transfers.some((log) => log.authNonce === sweptBy) ?? false
  return { kind: 'paid', log: end.log, isSwept }
}

const agreedBy = ({ link, settlement }: Claimed): AgreedTransfer => ({
  from: settlement.payer as Address,
  to: link.payTo,
  value: settlement.amount,
  nonce: settlement.authNonce as Hex,
})

async function fail(services: Services, at: Date, settlement: LinkSettlement): Promise<void> {
  await services.db.write(async (tx) => {
    const found = await findLinkById(tx, settlement.payLinkId)
    const link = found && (await lockLink(tx, at, found.code))
    assert(link, 'the link exists')
    const reason = TRANSFER_REFUSED
    if (!(await failSettlement(tx, settlement.id, reason))) return
    await release(tx, at, [{ ref: settleRef(settlement.id), outcome: 'failed' }])
    await saveLinks(tx, [{ ...link, reserved: link.reserved - 1 }])
    await record(tx, at, [failedEvent({ link, settlement, reason, asset: services.chain.asset })])
  })
}

const failedEvent = ({
  link,
  settlement,
  reason,
  asset,
}: Claimed & { reason: string; asset: Asset }): BuiltEvent =>
  paymentFailed.of({
    walletAddress: link.walletAddress,
    asset,
    fact: null,
    data: {
      settlement_id: settlement.id,
      transaction_id: null,
      direction: 'received',
      card_id: link.cardId,
      pay_link_code: link.code,
      agreement_id: null,
      rail: settlement.protocol,
      settlement_mode: 'CUSTODIAL',
      amount: settlement.amount,
      fee: settlement.fee,
      net_amount: settlement.amount - settlement.fee,
      tx_hash: null,
      merchant: null,
      payer: settlement.payer,
      reason: 'token_refused',
      detail: reason,
    },
  })
