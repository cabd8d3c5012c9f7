import type { Uses } from '../../../api/http/services.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { amount } from '../../../base/kernel/money.ts'
import { isUsedBefore, type Refused, refusedByToken } from '../../../base/protocols/x402/refusal.ts'
import { railAt } from '../../../chain/client/rails.ts'
import { readLatest } from '../../../chain/client/read-latest.ts'
import type { Funds } from '../../../chain/client/simulate.ts'
import { askWithFunds, type Call, lookAtPermit } from '../../../chain/transfers/looks/permit.ts'
import { simulateTransfer, transferCall } from '../../../chain/transfers/looks/signed-transfer.ts'
import { searchFrom } from '../../../chain/transfers/reads/schedule.ts'
import { type Claimed, over, runTransfer } from '../../../chain/transfers/run.ts'
import { meterAsset } from '../../../members/meter/terms.ts'
import {
  type AuthorizedOutcome,
  type AuthorizedPayment,
  refusedByRation,
  signatureDigest,
  USED_ELSEWHERE,
} from '../../link/signed-payment.ts'
import type { PayLink } from '../../link/store.ts'
import { checkOffered } from '../gate.ts'
import { type DirectSettlement, findDirectByNonce } from '../store.ts'
import { claimDirectLane, type DirectClaim, directRef } from './claim.ts'
import { lifeOf, lookDirect, outcomeOf } from './look.ts'

/** A signed transfer to a DIRECT seller's wallet that its protocol has accepted. */
export type DirectPayment = Omit<AuthorizedPayment, 'signed'> & {
  signed: AuthorizedPayment['signed'] | null
  method: 'eip3009' | 'permit2'
}

/** The settlement that an authorization was claimed for, on whichever DIRECT link. */
export const findDirectClaimed = (
  { db }: Uses<'db'>,
  link: PayLink,
  { from, nonce }: { from: Address; nonce: Hex },
): Promise<DirectSettlement | undefined> =>
  findDirectByNonce(db.reader, {
    ...{ network: link.network, token: link.token ?? '', payer: from, nonce },
  })

/** A claimed payment as it stands: the same authorization again answers the same settlement. */
export async function resumeDirect(
  services: Uses<'chain' | 'db' | 'log' | 'relay'>,
  at: Date,
  of: { link: PayLink; settlement: DirectSettlement; value: bigint },
): Promise<AuthorizedOutcome> {
  const { link, settlement } = of
  if (settlement.payLinkId !== link.id || settlement.amount !== of.value) return USED_ELSEWHERE
  await lookDirect(services, at, settlement.id)
  return outcomeOf(services, settlement.id)
}

/**
 * Settles a DIRECT link by a signed transfer to the seller's wallet: claims it while it is unused, submits it, and records
 * what the chain shows. Throws what `closedProblem` says of a link that takes no payment, and `no_active_plan` while the
 * seller's gate is closed: nothing has moved yet, and nothing is submitted for a seller without a plan.
 */
export async function settleDirect(
  services: Uses<'chain' | 'db' | 'lanes' | 'log' | 'relay' | 'settings'>,
  at: Date,
  payment: DirectPayment,
): Promise<AuthorizedOutcome> {
  const { link, authorization } = payment
  if (authorization.from === link.payTo) return PAYS_ITSELF
  return runTransfer<Good, AuthorizedOutcome>(services, {
    async look() {
      await checkOffered(services, at, link)
      const looked = await lookAtDirect(services, at, payment)
      return looked.refusal ? over(refusedAs(looked.refusal)) : { kind: 'good', good: looked }
    },
    claim: (good) => claim(services, at, payment, good),
    onRationed: refusedByRation,
  })
}

/** Claims the transfer and a use of the link. */
async function claim(
  services: Uses<'chain' | 'db' | 'lanes' | 'log' | 'relay' | 'settings'>,
  at: Date,
  payment: DirectPayment,
  good: Good,
): Promise<Claimed<AuthorizedOutcome>> {
  const { link, authorization } = payment
  const claimed = claimOf(services, at, { payment, ...good })
  const { settlement } = claimed
  const outcome = await services.lanes.submit(claimDirectLane, claimed)
  if (outcome.kind === 'rationed') return outcome
  if (outcome.kind === 'closed') throw outcome.problem
  if (outcome.kind === 'claimed') {
    reach('direct.claimed')
    const answer = () => outcomeOf(services, settlement.id)
    return { kind: 'claimed', life: lifeOf(services, at, { settlement, isOurs: true, answer }) }
  }
  const known = await findDirectClaimed(services, link, authorization)
  if (!known) return over(USED_ELSEWHERE)
  const { value } = authorization
  return over(await resumeDirect(services, at, { link, settlement: known, value }))
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

type Good = { refusal?: undefined; call: Call; funds: Funds }
type Looked = { refusal: Refused } | Good

/** Whether the token would take the transfer now, and the call that submits it. */
export async function lookAtDirect(
  services: Uses<'chain'>,
  at: Date,
  payment: Pick<DirectPayment, 'link' | 'authorization' | 'signature' | 'signed' | 'method'>,
): Promise<Looked> {
  const { chain } = services
  const { link, authorization, signature, signed } = payment
  if (payment.method === 'eip3009') {
    assert(signed && link.token, 'the payer of an authorization was judged')
    const rail = railAt(chain, link.token)
    const { revert, funds } = await simulateTransfer(rail, { authorization, signed })
    if (revert) return { refusal: refusedByToken(revert) }
    return { call: transferCall(rail, { authorization, signed }), funds }
  }
  assert(link.token, 'the link is in a token')
  const latest = await readLatest(chain)
  const permit = { ...authorization, token: link.token }
  const looked = await lookAtPermit(services, { permit, signature }, { latest, at })
  if (!looked.ok) return { refusal: looked }
  const { call } = looked
  const { refusal, funds } = await askWithFunds(services, permit, { call, latest })
  return refusal ? { refusal } : { call, funds }
}

function claimOf(
  { chain, settings }: Uses<'chain' | 'settings'>,
  at: Date,
  { payment, call, funds }: { payment: DirectPayment } & Good,
): DirectClaim {
  const settlement = newSettlement(at, payment)
  const { id, boundBy: method, payer, token, amount, nonce } = settlement
  const { validBefore } = payment.authorization
  return {
    ...{ id, kind: 'direct', method, code: payment.link.code, settlement, call },
    flight: {
      ...{ ref: directRef(id), network: chain.network, token, payer, nonce, amount },
      ...{ validBefore, funds, gas: call.gas, isForeignToken: method === 'permit2' },
    },
    limits: settings.gas,
    asset: meterAsset(chain),
  }
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
