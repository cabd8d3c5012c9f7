import { findToken } from '../agentcards/store.ts'
import { nowSecondsOf, readLatest } from '../chain/read-latest.ts'
import { simulateSoon } from '../chain/simulate-soon.ts'
import { type Caller, mayUseCard } from '../http/caller.ts'
import type { Services } from '../http/services.ts'
import type { Hex } from '../kernel/assets.ts'
import { closedProblem } from '../pay-links/link.ts'
import { realmOf } from '../pay-links/mpp-offer.ts'
import { findClaimed } from '../pay-links/settle-authorization.ts'
import { offerFor } from '../pay-links/settle-by-mpp.ts'
import { offerOf } from '../pay-links/settle-by-x402.ts'
import { findLink, type PayLink } from '../pay-links/store.ts'
import { member } from '../protocols/ap2/json.ts'
import type { TransferAuthorization } from '../protocols/eip3009/authorization.ts'
import { transferWithAuthorizationData } from '../protocols/eip3009/calldata.ts'
import { AGENTCARD_CHARGE, readCardToken } from '../protocols/mpp/agentcard.ts'
import { checkExpiry, checkOrigin, checkTerms } from '../protocols/mpp/binding.ts'
import { type Credential, readCredential } from '../protocols/mpp/credential.ts'
import { checkEvmPayment, checkEvmTerms, readEvmPayload } from '../protocols/mpp/evm.ts'
import { MppRefusal } from '../protocols/mpp/refusal.ts'
import { readFacilitated } from '../protocols/x402/facilitator.ts'
import { authorizationRefusal, matchAccepted } from '../protocols/x402/match.ts'
import {
  type PaymentPayload,
  parsePaymentSignature,
  parseXPayment,
} from '../protocols/x402/payload.ts'
import { refusedByToken } from '../protocols/x402/refusal.ts'
import { decodeHeader, isObject } from '../protocols/x402/wire.ts'
import { verify } from './verify.ts'

/** Whether a payment is good for what the caller sells; why not, by the protocol's own name. */
export type Received = { verified: true } | { verified: false; reason: string }
type Asker = { caller: Caller; at: Date }

const no = (reason: string): Received => ({ verified: false, reason })
const YES: Received = { verified: true }

/**
 * Whether an x402 header pays for the resource, which must be the caller's: one of its pay links by its URL, or a URL
 * of its own, whose payment goes to the caller's wallet on the terms that the client says it accepts (v2 alone, as v1
 * names none). A payment that a link was settled with is good for that link. Nothing is claimed, sent or counted.
 */
export async function receiveX402(
  services: Services,
  { caller, at }: Asker,
  { header, url }: { header: string; url: string },
): Promise<Received> {
  const link = await findOwnLink(services, caller, codeIn(services, url))
  if (!link) return receiveElsewhere(services, { caller, at }, { header, url })
  const isV1 = decodeHeader(header)?.x402Version === 1
  const parsed = isV1 ? parseXPayment(header) : parsePaymentSignature(header)
  if (!parsed.ok) return no(parsed.reason)
  return checkLinkPayment(services, at, { link, payload: parsed.payload })
}

/** The code in the URL of a pay link of this service. */
function codeIn({ settings }: Services, url: string): string | undefined {
  const prefix = `${settings.publicUrl}/pay/`
  return url.startsWith(prefix) ? url.slice(prefix.length).split(/[?#]/)[0] : undefined
}

async function findOwnLink(
  { db }: Services,
  caller: Caller,
  code: string | undefined,
): Promise<PayLink | undefined> {
  const link = code === undefined ? undefined : await findLink(db.reader, code)
  const isOwn = link?.walletAddress === caller.walletAddress && mayUseCard(caller, link.cardId)
  return isOwn ? link : undefined
}

async function checkLinkPayment(
  services: Services,
  at: Date,
  { link, payload }: { link: PayLink; payload: PaymentPayload },
): Promise<Received> {
  const { authorization, signature } = payload
  const matched = matchAccepted(payload, offerOf(services, link, authorization.value))
  if (!matched.ok) return no(matched.reason)
  const settled = await findSettled(services, link, authorization)
  if (settled) return settled
  const { asset } = services.chain
  const nowSeconds = nowSecondsOf(await readLatest(services.chain), at)
  const refusal = authorizationRefusal({ asset, authorization, signature, nowSeconds })
  if (refusal) return no(refusal.reason)
  return askToken(services, at, { link, authorization, signature })
}

/** How an authorization stands that was claimed for a link before. */
async function findSettled(
  services: Services,
  link: PayLink,
  authorization: TransferAuthorization,
): Promise<Received | undefined> {
  const known = await findClaimed(services, link, authorization)
  if (!known) return undefined
  if (known.payLinkId !== link.id) return no('duplicate_settlement')
  return known.state === 'failed' ? no('invalid_exact_evm_transaction_failed') : YES
}

async function askToken(
  { chain }: Services,
  at: Date,
  of: { link: PayLink; authorization: TransferAuthorization; signature: Hex },
): Promise<Received> {
  const closed = closedProblem(of.link, at)
  if (closed) return no(closed.code)
  const data = transferWithAuthorizationData(of.authorization, of.signature)
  const payer = of.authorization.from
  const { revert } = await simulateSoon(chain, { to: chain.asset.contract, data, payer })
  return revert === undefined ? YES : no(refusedByToken(revert).reason)
}

async function receiveElsewhere(
  services: Services,
  { caller, at }: Asker,
  { header, url }: { header: string; url: string },
): Promise<Received> {
  const paymentPayload = decodeHeader(header)
  const paymentRequirements = paymentPayload?.accepted
  if (!paymentPayload || !isObject(paymentRequirements)) return no('invalid_payload')
  const body = { x402Version: 2, paymentPayload, paymentRequirements }
  const read = readFacilitated(body)
  if (!read.ok) return no(read.reason)
  const { resource, requirements } = read.payment
  if (requirements.payTo !== caller.walletAddress || (resource.url ?? url) !== url)
    return no('invalid_exact_evm_recipient_mismatch')
  const verified = await verify(services, at, body)
  return verified.isValid ? YES : no(verified.invalidReason)
}

/**
 * Whether an MPP credential, as `Authorization` carries it, pays one of the caller's links: its challenge was made here
 * for that link on today's terms, and the method's payment is good, or has settled the link already. The body that a
 * challenge may be bound to is not at hand and not compared. Nothing is claimed, redeemed or sent.
 */
export async function receiveMpp(
  services: Services,
  { caller, at }: Asker,
  data: string,
): Promise<Received> {
  try {
    const credential = readData(data)
    const { challenge } = credential
    const code = member(challenge.terms, 'externalId')
    const link = await findOwnLink(services, caller, typeof code === 'string' ? code : undefined)
    if (!link) return no('challenge_unknown')
    const { settings, mppKeys } = services
    checkOrigin(challenge, { keys: mppKeys.challenges, realm: realmOf(settings), scope: link.code })
    checkTerms(challenge, offerFor(services, link, challenge).terms)
    return challenge.method === AGENTCARD_CHARGE.method
      ? await checkCardToken(services, at, { link, credential })
      : await checkEvm(services, at, { link, credential })
  } catch (error) {
    if (!(error instanceof MppRefusal)) throw error
    return no(error.code)
  }
}

/** The credential of a header value, whichever of the two fields its challenge asked for; with its scheme or without. */
function readData(data: string): Credential {
  const value = /^payment[ \t]/i.test(data) ? data : `Payment ${data}`
  try {
    const credential = readCredential({ authorization: value })
    if (credential) return credential
  } catch (error) {
    if (!(error instanceof MppRefusal) || error.code !== 'credential_misplaced') throw error
  }
  const credential = readCredential({ 'payment-authorization': value })
  if (!credential) throw new MppRefusal('credential_malformed', 'That is no Payment credential.')
  return credential
}

async function checkEvm(
  services: Services,
  at: Date,
  { link, credential }: { link: PayLink; credential: Credential },
): Promise<Received> {
  const { asset } = services.chain
  const { challenge, source } = credential
  const payload = readEvmPayload(credential.payload)
  const checked = { challenge, asset, payload, source }
  checkEvmTerms(checked)
  const settled = await findSettled(services, link, payload.authorization)
  if (settled) return settled
  checkExpiry(challenge, at)
  checkEvmPayment({ ...checked, nowSeconds: nowSecondsOf(await readLatest(services.chain), at) })
  return askToken(services, at, { link, ...payload })
}

async function checkCardToken(
  { db, mppKeys }: Services,
  at: Date,
  { link, credential: { challenge, payload } }: { link: PayLink; credential: Credential },
): Promise<Received> {
  readCardToken(mppKeys.cardTokens, challenge, payload)
  const token = await findToken(db.reader, challenge.id)
  if (token?.recipient !== link.code) return no('card_token_invalid')
  if (token.state === 'redeemed') return YES
  if (token.state === 'released' || token.expiresAt <= at) return no('challenge_expired')
  const closed = closedProblem(link, at)
  return closed ? no(closed.code) : YES
}
