import type { Caller } from '../../../../api/http/caller.ts'
import type { Uses } from '../../../../api/http/services.ts'
import { amount } from '../../../../base/kernel/money.ts'
import { checkExpiry, checkOrigin, checkTerms } from '../../../../base/protocols/mpp/binding.ts'
import { checkBody } from '../../../../base/protocols/mpp/digest.ts'
import type { Challenge } from '../../../../base/protocols/mpp/headers/challenge.ts'
import type { Credential } from '../../../../base/protocols/mpp/headers/credential.ts'
import {
  AGENTCARD_CHARGE,
  readAgentcardTerms,
  readCardToken,
} from '../../../../base/protocols/mpp/methods/agentcard.ts'
import {
  checkEvmPayment,
  checkEvmTerms,
  EVM_CHARGE,
  readEvmPayload,
  readEvmTerms,
} from '../../../../base/protocols/mpp/methods/evm.ts'
import { MppRefusal } from '../../../../base/protocols/mpp/refusal.ts'
import { nowSecondsOf, readLatest } from '../../../../chain/client/read-latest.ts'
import { findDirectClaimed, resumeDirect, settleDirect } from '../../../direct/settle/settle.ts'
import { assetOfLink, closedProblem, realmOf } from '../../../link/link.ts'
import type { AuthorizedOutcome } from '../../../link/signed-payment.ts'
import type { PayLink } from '../../../link/store.ts'
import { findClaimed, resumeSettlement, settleByAuthorization } from '../authorization/settle.ts'
import { type Redeemed, redeemForLink } from '../card/settle-token.ts'
import { type MppOffer, mppOffers } from './offer.ts'

export type MppOutcome = AuthorizedOutcome | Extract<Redeemed, { kind: 'settled' }>
export type MppPayment = {
  link: PayLink
  credential: Credential
  /** The body of the request, which its challenge is bound to; empty if it has none. */
  body: Uint8Array
  /** The key that came along, if one did. */
  caller?: Caller | undefined
}

/**
 * Settles a link by an MPP credential: the challenge is ours and this link's, asks what we would ask, and is for this
 * request's body; then its method decides. The same credential again answers the same settlement, also after its
 * challenge has expired. Throws `MppRefusal` for what a fresh challenge can mend, and what `closedProblem` says of a
 * link that takes no payment.
 */
export async function settleByMpp(
  services: Uses<'chain' | 'clock' | 'db' | 'lanes' | 'log' | 'mppKeys' | 'relay' | 'settings'>,
  at: Date,
  payment: MppPayment,
): Promise<MppOutcome> {
  const { link, credential, body } = payment
  const { challenge } = credential
  const { settings, mppKeys } = services
  checkOrigin(challenge, { keys: mppKeys.challenges, realm: realmOf(settings), scope: link.code })
  checkTerms(challenge, offerFor(services, link, challenge).terms)
  checkBody(challenge, body)
  return challenge.method === EVM_CHARGE.method
    ? settleByEvm(services, at, payment)
    : settleByCardToken(services, at, payment)
}

/** Our current offer for the challenge's method. For a link without an amount, the challenge has the payer's. */
export function offerFor(
  services: Uses<'chain' | 'settings'>,
  link: PayLink,
  { method, intent, terms }: Challenge,
): MppOffer {
  const is = (one: { method: string; intent: string }) =>
    one.method === method && one.intent === intent
  const charge = is(AGENTCARD_CHARGE) ? readAgentcardTerms(terms) : readEvmTerms(terms)
  const asked = typeof charge === 'string' ? undefined : charge.amount
  const value = link.amount ?? asked
  const offer = value === undefined ? undefined : mppOffers(services, link, amount(value)).find(is)
  if (!offer)
    throw new MppRefusal('method_unsupported', 'The link is not paid by this method of MPP.')
  return offer
}

async function settleByEvm(
  services: Uses<'chain' | 'clock' | 'db' | 'lanes' | 'log' | 'relay' | 'settings'>,
  at: Date,
  { link, credential }: MppPayment,
): Promise<AuthorizedOutcome> {
  const { chain } = services
  const { challenge, source } = credential
  const payload = readEvmPayload(credential.payload)
  const { authorization, signature } = payload
  const checked = { challenge, asset: assetOfLink(chain, link), payload, source }
  if (link.token !== null)
    return settleDirectByEvm(services, at, { link, credential, body: NO_BODY })
  const known = await findClaimed(services, link, authorization)
  if (known) {
    checkEvmTerms(checked)
    return resumeSettlement(services, at, { link, settlement: known, authorization })
  }
  checkExpiry(challenge, at)
  const closed = closedProblem(link, at)
  if (closed) throw closed
  const latest = await readLatest(chain)
  checkEvmPayment({ ...checked, nowSeconds: nowSecondsOf(latest, at) })
  const head = latest.number
  return settleByAuthorization(services, at, {
    link,
    authorization,
    signature,
    head,
    signed: { ok: true, by: 'key', signature },
    protocol: 'mpp',
  })
}

/** The body was checked before. */
const NO_BODY = new Uint8Array()

/** As `settleByEvm`, for a DIRECT link in our asset: the nonce of the authorization is the hash of the challenge. */
async function settleDirectByEvm(
  services: Uses<'chain' | 'db' | 'lanes' | 'log' | 'relay' | 'settings'>,
  at: Date,
  { link, credential }: MppPayment,
): Promise<AuthorizedOutcome> {
  const { chain } = services
  const { challenge, source } = credential
  const payload = readEvmPayload(credential.payload)
  const { authorization, signature } = payload
  const checked = { challenge, asset: assetOfLink(chain, link), payload, source }
  const known = await findDirectClaimed(services, link, authorization)
  if (known) {
    checkEvmTerms(checked)
    return resumeDirect(services, at, { link, settlement: known, value: authorization.value })
  }
  checkExpiry(challenge, at)
  const closed = closedProblem(link, at)
  if (closed) throw closed
  const latest = await readLatest(chain)
  checkEvmPayment({ ...checked, nowSeconds: nowSecondsOf(latest, at) })
  return settleDirect(services, at, {
    link,
    authorization,
    signature,
    head: latest.number,
    signed: { ok: true, by: 'key', signature },
    protocol: 'mpp',
    method: 'eip3009',
  })
}

async function settleByCardToken(
  services: Uses<'chain' | 'db' | 'mppKeys'>,
  at: Date,
  { link, credential, caller }: MppPayment,
): Promise<MppOutcome> {
  const { db, chain, mppKeys } = services
  const { challenge, payload } = credential
  const token = readCardToken(mppKeys.cardTokens, challenge, payload)
  const redeemed = await db.write((tx) =>
    redeemForLink(tx, at, {
      ...token,
      code: link.code,
      challengeId: challenge.id,
      asset: assetOfLink(chain, link),
      caller,
    }),
  )
  if (redeemed.kind === 'closed') throw redeemed.problem
  return redeemed
}
