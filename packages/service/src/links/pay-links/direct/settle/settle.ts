import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../../../../api/http/services.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import type { Address, Hex } from '../../../../base/kernel/assets.ts'
import { reach } from '../../../../base/kernel/fault-points.ts'
import { newId } from '../../../../base/kernel/ids.ts'
import { amount } from '../../../../base/kernel/money.ts'
import {
  isUsedBefore,
  type Refused,
  refusedByToken,
} from '../../../../base/protocols/x402/refusal.ts'
import { readLatest } from '../../../../chain/client/read-latest.ts'
import { readTokenBalance } from '../../../../chain/client/tokens/calls.ts'
import { searchFrom } from '../../../../chain/client/transfers/schedule.ts'
import {
  simulateTransfer,
  transferCall,
} from '../../../../chain/client/transfers/signed-transfer.ts'
import type { Funds } from '../../../../chain/client/transfers/simulate.ts'
import { refusalOfRation } from '../../../../chain/relay/gas/refusal.ts'
import { isMomentary, LOOK_AGAIN_MS, LOOKS_MOST } from '../../../../chain/relay/gas/reserve.ts'
import { signatureDigest } from '../../methods/authorization/payer.ts'
import type { AuthorizedOutcome, AuthorizedPayment } from '../../methods/authorization/payment.ts'
import { askPermit2, type Call, lookAtPermit } from '../../methods/authorization/permit2.ts'
import { USED_ELSEWHERE } from '../../methods/authorization/used.ts'
import type { PayLink } from '../../store.ts'
import { checkOffered } from '../gate.ts'
import { type DirectSettlement, findDirectByNonce } from '../store.ts'
import { claimDirectLane } from './claim.ts'
import { lookDirect, outcomeOf } from './look.ts'

/** A signed transfer to a DIRECT seller's wallet that its protocol has accepted. */
export type DirectPayment = Omit<AuthorizedPayment, 'signed'> & {
  signed: AuthorizedPayment['signed'] | null
  method: 'eip3009' | 'permit2'
}

/** The settlement that an authorization was claimed for, on whichever DIRECT link. */
export const findDirectClaimed = (
  { db }: Pick<Services, 'db'>,
  link: PayLink,
  { from, nonce }: { from: Address; nonce: Hex },
): Promise<DirectSettlement | undefined> =>
  findDirectByNonce(db.reader, {
    ...{ network: link.network, token: link.token ?? '', payer: from, nonce },
  })

/** A claimed payment as it stands: the same authorization again answers the same settlement. */
export async function resumeDirect(
  services: Services,
  at: Date,
  of: { link: PayLink; settlement: DirectSettlement; value: bigint },
): Promise<AuthorizedOutcome> {
  const { link, settlement } = of
  if (settlement.payLinkId !== link.id || settlement.amount !== of.value) return USED_ELSEWHERE
  await lookDirect(services, at, { id: settlement.id, isOurs: false })
  return outcomeOf(services, settlement.id)
}

/**
 * Settles a DIRECT link by a signed transfer to the seller's wallet: claims it while it is unused, submits it, and records
 * what the chain shows. Throws what `closedProblem` says of a link that takes no payment, and `no_active_plan` while the
 * seller's gate is closed: nothing has moved yet, and nothing is submitted for a seller without a plan.
 */
export async function settleDirect(
  services: Services,
  at: Date,
  payment: DirectPayment,
  looks = 1,
): Promise<AuthorizedOutcome> {
  const { link, authorization } = payment
  if (authorization.from === link.payTo) return PAYS_ITSELF
  await checkOffered(services, at, link)
  const looked = await lookAtDirect(services, at, payment)
  if (looked.refusal) return refusedAs(looked.refusal)
  const { call, funds } = looked
  const settlement = newSettlement(at, payment)
  const { validBefore } = authorization
  const outcome = await services.lanes.submit(claimDirectLane, {
    ...{ code: link.code, settlement, call, limits: services.settings.gas },
    asset: services.chain.asset,
    flight: { validBefore, funds, isForeignToken: payment.method === 'permit2' },
  })
  if (outcome.kind === 'closed') throw outcome.problem
  if (outcome.kind === 'rationed') {
    if (isMomentary(outcome.rationed) && looks < LOOKS_MOST) {
      await sleep(LOOK_AGAIN_MS)
      return settleDirect(services, at, payment, looks + 1)
    }
    const { code, detail, headers } = refusalOfRation(outcome.rationed)
    return { kind: 'refused', reason: code, detail, headers }
  }
  if (outcome.kind === 'claimed') {
    reach('direct.claimed')
    await lookDirect(services, at, { id: settlement.id, isOurs: true })
    return outcomeOf(services, settlement.id)
  }
  const known = await findDirectClaimed(services, link, authorization)
  if (!known) return USED_ELSEWHERE
  return resumeDirect(services, at, { link, settlement: known, value: authorization.value })
}

const PAYS_ITSELF: AuthorizedOutcome = {
  kind: 'refused',
  reason: 'invalid_payload',
  detail: "The link is paid to the payer's own wallet: nothing would move.",
}

/** A payment that was made before may have been for something else, so it pays nothing here. */
const refusedAs = (refusal: Refused): AuthorizedOutcome => ({
  kind: 'refused',
  ...(isUsedBefore(refusal)
    ? { reason: 'already_used', detail: usedBefore(refusal) }
    : { reason: refusal.reason, detail: refusal.detail }),
})

/** The transfer of an authorization shows its nonce, so it can be reported. That of a permit does not. */
const usedBefore = ({ reason }: Refused): string =>
  reason === 'permit2_invalid_nonce'
    ? 'The permit was used or cancelled before it was presented here, so it pays nothing here.'
    : 'The authorization was used or cancelled before it was presented here. If it was used for this link, report its transaction to settle, signed by the payer.'

type Looked = { refusal: Refused } | { refusal?: undefined; call: Call; funds: Funds }

/** Whether the token would take the transfer now, and the call that submits it. */
export async function lookAtDirect(
  services: Services,
  at: Date,
  payment: Pick<DirectPayment, 'link' | 'authorization' | 'signature' | 'signed' | 'method'>,
): Promise<Looked> {
  const { chain } = services
  const { link, authorization, signature, signed } = payment
  if (payment.method === 'eip3009') {
    assert(signed, 'the payer of an authorization was judged')
    const { revert, funds } = await simulateTransfer(chain, { authorization, signed })
    if (revert) return { refusal: refusedByToken(revert) }
    return { call: transferCall(chain, { authorization, signed }), funds }
  }
  assert(link.token, 'the link is in a token')
  const latest = await readLatest(chain)
  const permit = { ...authorization, token: link.token }
  const looked = await lookAtPermit(services, { permit, signature }, { latest, at })
  if (!looked.ok) return { refusal: looked }
  const [refusal, balance] = await Promise.all([
    askPermit2(services, permit, looked.call),
    readTokenBalance(chain, permit.token, permit.from),
  ])
  if (refusal) return { refusal }
  return { call: looked.call, funds: { balance: balance ?? 0n, block: latest.number } }
}

function newSettlement(at: Date, payment: DirectPayment) {
  const { link, protocol, authorization, signature, method, head } = payment
  assert(link.token, 'the link is in a token')
  return {
    ...{ id: newId('stl', at), payLinkId: link.id, cardId: link.cardId },
    walletAddress: link.payTo,
    ...{ protocol, boundBy: method, payer: authorization.from, network: link.network },
    token: link.token,
    amount: amount(authorization.value),
    nonce: authorization.nonce.toLowerCase() as Hex,
    validBefore: authorization.validBefore,
    signatureDigest: signatureDigest(signature),
    fromBlock: searchFrom(head),
    ...{ state: 'settling' as const, reason: null, txHash: null, logIndex: null },
    ...{ arrived: null, arrivedBlock: null, isFinal: false, exceptionId: null },
    ...{ transactionId: null, meteredFee: null, createdAt: at, settledAt: null },
  }
}
