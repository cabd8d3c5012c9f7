import type { Uses } from '../../../../api/http/services.ts'
import type { Hex } from '../../../../base/kernel/assets.ts'
import { reach } from '../../../../base/kernel/fault-points.ts'
import { newId } from '../../../../base/kernel/ids.ts'
import { amount } from '../../../../base/kernel/money.ts'
import type { TransferAuthorization } from '../../../../base/protocols/evm/eip3009/authorization.ts'
import { refusedByToken } from '../../../../base/protocols/x402/refusal.ts'
import { callsTogether, MULTICALL3 } from '../../../../chain/client/multicall.ts'
import { railOf } from '../../../../chain/client/rails.ts'
import type { Funds } from '../../../../chain/client/simulate.ts'
import {
  gasOfTransfer,
  simulateTransfer,
  transferCalls,
} from '../../../../chain/transfers/looks/signed-transfer.ts'
import { searchFrom } from '../../../../chain/transfers/reads/schedule.ts'
import { type Claimed, over, runTransfer, type Seen } from '../../../../chain/transfers/run.ts'
import { findSettlementByAuthorization } from '../../../../money/settlements/on-chain/store.ts'
import { settleRef } from '../../../../money/settlements/on-chain/store-confirmations.ts'
import type { LinkSettlement } from '../../../../money/settlements/settlement.ts'
import {
  type AuthorizedOutcome,
  type AuthorizedPayment,
  refusedByRation,
  signatureDigest,
  USED_ELSEWHERE,
} from '../../../link/signed-payment.ts'
import type { PayLink } from '../../../link/store.ts'
import { sweepCall } from '../on-chain/sweep.ts'
import { type Claim, claimLane } from './claim.ts'
import { finishSettlement, lifeOf } from './life.ts'
import { settleCarried } from './settle-carried.ts'

/** The most gas for the sweep and for the call that combines it with the transfer. */
const COMBINED_SWEEP_GAS = 270_000n

/** The settlement that an authorization was claimed for before, whichever protocol brought it. */
export const findClaimed = (
  { db }: Uses<'db'>,
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
export const settleByAuthorization = (
  services: Uses<'chain' | 'clock' | 'db' | 'lanes' | 'relay' | 'settings'>,
  at: Date,
  payment: AuthorizedPayment,
): Promise<AuthorizedOutcome> =>
  runTransfer(services, {
    look: () => look(services, at, payment),
    claim: (funds) => claim(services, at, { payment, funds }),
    onRationed: refusedByRation,
  })

async function look(
  services: Uses<'chain' | 'clock' | 'db' | 'settings'>,
  at: Date,
  payment: AuthorizedPayment,
): Promise<Seen<Funds, AuthorizedOutcome>> {
  const { revert, funds } = await simulateTransfer(
    railOf(services.chain, payment.link.asset),
    payment,
  )
  if (revert === undefined) return { kind: 'good', good: funds }
  const { reason, detail } = refusedByToken(revert)
  const carried =
    reason === 'invalid_exact_evm_nonce_already_used' &&
    (await settleCarried(services, at, payment))
  return over(carried || { kind: 'refused', reason, detail })
}

/** Writes the claim, the reserved use and the transaction to send, together with those of other payers. */
async function claim(
  services: Uses<'chain' | 'db' | 'lanes' | 'relay' | 'settings'>,
  at: Date,
  of: { payment: AuthorizedPayment; funds: Funds },
): Promise<Claimed<AuthorizedOutcome>> {
  const { link, authorization } = of.payment
  const outcome = await services.lanes.submit(claimLane, await claimOf(services, at, of))
  reach('pay_links.claimed')
  if (outcome.kind === 'rationed') return outcome
  if (outcome.kind === 'closed') throw outcome.problem
  if (outcome.kind === 'claimed') {
    const claimed = { link, settlement: outcome.settlement, isOurs: true }
    return { kind: 'claimed', life: lifeOf(services, at, claimed) }
  }
  const settlement = await findClaimed(services, link, authorization)
  // Another seller's payment may have claimed it.
  return over(
    settlement
      ? await resumeSettlement(services, at, { link, settlement, authorization })
      : USED_ELSEWHERE,
  )
}

async function claimOf(
  { chain, settings }: Uses<'chain' | 'settings'>,
  at: Date,
  { payment, funds }: { payment: AuthorizedPayment; funds: Funds },
): Promise<Claim> {
  const { link, head, protocol, authorization, signature, signed } = payment
  const { from: payer, validBefore } = authorization
  const value = amount(authorization.value)
  const nonce = plain(authorization.nonce)
  const id = newId('stl', at)
  const { to: target, data: callData } = await sweepCall(chain, at, { link, value, ref: id })
  // If somebody else carries the payer's transfer to the chain first, the sweep still follows it.
  const rail = railOf(chain, link.asset)
  const data = callsTogether([...transferCalls(rail, payment), { target, callData }])
  return {
    ...{ id, kind: 'link', method: 'eip3009', code: link.code },
    flight: {
      ...{ ref: settleRef(id), network: chain.network, token: rail.asset.contract },
      ...{ payer, nonce, amount: value, validBefore, funds, isForeignToken: false },
      gas: gasOfTransfer(signed) + COMBINED_SWEEP_GAS,
    },
    call: { to: MULTICALL3, data },
    limits: settings.gas,
    settlement: {
      ...{ id, payLinkId: link.id, protocol, payer, amount: value },
      ...{ network: link.network, asset: link.asset, authNonce: nonce },
      ...{ state: 'settling', reason: null, txHash: null, isSwept: true },
      ...{ fromBlock: searchFrom(head), createdAt: at, settledAt: null },
    },
    standard: settings.fee,
    signatureDigest: signatureDigest(signature),
  }
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

/** Continues a claimed payment. Presenting the same authorization again returns the same settlement. */
export const resumeSettlement = async (
  services: Uses<'chain' | 'db' | 'lanes' | 'relay'>,
  at: Date,
  of: { link: PayLink; settlement: LinkSettlement; authorization: TransferAuthorization },
): Promise<AuthorizedOutcome> =>
  isPaidBy(of.settlement, of.link, of.authorization)
    ? finishSettlement(services, at, of.settlement.id)
    : USED_ELSEWHERE
