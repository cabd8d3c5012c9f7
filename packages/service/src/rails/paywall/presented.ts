import type { Uses } from '../../api/http/services.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { type Amount, amount } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { sha256 } from '../../base/kernel/secrets.ts'
import { member } from '../../base/protocols/json.ts'
import { checkOrigin, keysOfSeller } from '../../base/protocols/mpp/binding.ts'
import type { Challenge } from '../../base/protocols/mpp/headers/challenge.ts'
import { type Credential, readCredential } from '../../base/protocols/mpp/headers/credential.ts'
import { decodeJson } from '../../base/protocols/mpp/headers/wire.ts'
import {
  AGENTCARD_CHARGE,
  type CardToken,
  readAgentcardTerms,
  readCardToken,
} from '../../base/protocols/mpp/methods/agentcard.ts'
import {
  checkEvmTerms,
  EVM_CHARGE,
  readEvmPayload,
  readEvmTerms,
} from '../../base/protocols/mpp/methods/evm.ts'
import { MppRefusal } from '../../base/protocols/mpp/refusal.ts'
import { type FacilitatorBody, readFacilitated } from '../../base/protocols/x402/facilitator.ts'
import { isObject } from '../../base/protocols/x402/wire.ts'
import { defaultAsset } from '../../chain/client/rails.ts'
import type { PaywallMethod } from './store.ts'

/** A payment as a seller's paywall hands it on: by x402 with the seller's own terms, or an MPP credential. */
export type PaymentIn = {
  x402?: FacilitatorBody | undefined
  mpp?: MppIn | undefined
}
export type MppIn = {
  credential: string
  /** The price, in base units. */
  amount: string
  /** The digest of the request's body, if it has one. */
  digest?: string | undefined
}

type Shared = {
  key: string
  method: PaywallMethod
  payer: string
  /** For upto the most. */
  amount: Amount
  hash: Buffer
  /** Whether its bytes stay unknown to those who read the chain. Only then may its answer be given again. */
  isPrivate: boolean
}
export type OnChain = Shared & { method: 'x402' | 'evm'; body: FacilitatorBody }
export type ByCard = Shared & {
  method: 'agentcard'
  challenge: Challenge
  token: CardToken
  recipient: string
}
export type Presented = OnChain | ByCard
/** A refusal in the words of the payment's own protocol. */
export type NotPresented = { reason: string; detail: string }

const MPP_KEY = 'mpp:'
const keyOfChallenge = ({ id }: Challenge): string => `${MPP_KEY}${id}`
/** The id of the challenge that a payment by MPP answers. */
export const challengeOf = ({ paymentKey }: { paymentKey: string }): string =>
  paymentKey.slice(MPP_KEY.length)

/** Reads a payment to the seller's wallet, for a resource. Asks neither the chain nor the database. */
export function readPresented(
  services: Uses<'chain' | 'mppKeys' | 'settings'>,
  { walletAddress, resource }: { walletAddress: Address; resource: string },
  { x402, mpp }: PaymentIn,
): Presented | NotPresented {
  if ((x402 === undefined) === (mpp === undefined))
    throw new Problem('invalid_payment', 'Send one payment: x402 or mpp.', { param: 'x402' })
  if (x402) return readX402(x402, walletAddress)
  try {
    return readMpp(services, { walletAddress, resource }, mpp as MppIn)
  } catch (error) {
    if (!(error instanceof MppRefusal)) throw error
    return { reason: error.code, detail: error.detail }
  }
}

function readX402(body: FacilitatorBody, walletAddress: Address): Presented | NotPresented {
  const read = readFacilitated(body)
  if (!read.ok) return read
  const { requirements, authorization, payload, extensions } = read.payment
  if (requirements.payTo !== walletAddress)
    return {
      reason: 'invalid_payment_requirements',
      detail: 'payTo must be the wallet of the API key.',
    }
  const { network, asset } = requirements
  return {
    method: 'x402',
    key: `x402:${network}:${asset}:${authorization.from}:${authorization.nonce.toLowerCase()}`,
    payer: authorization.from,
    amount: amount(authorization.value),
    hash: sha256(JSON.stringify(body.paymentPayload)),
    isPrivate: payload.paymentIdentifier !== undefined || hasRetryKey(extensions),
    body,
  }
}

/** The extension by which a paywall gives each 402 a secret of its own, that the client sends back. */
const RETRY_KEY = 'retry-key'
const SECRET = /^[A-Za-z0-9_-]{16,128}$/

function hasRetryKey(extensions: Record<string, unknown>): boolean {
  const extension = Object.hasOwn(extensions, RETRY_KEY) ? extensions[RETRY_KEY] : undefined
  const key = isObject(extension) && isObject(extension.info) ? extension.info.key : undefined
  return typeof key === 'string' && SECRET.test(key)
}

function readMpp(
  services: Uses<'chain' | 'mppKeys' | 'settings'>,
  of: { walletAddress: Address; resource: string },
  asked: MppIn,
): Presented {
  const credential = readHeader(asked.credential)
  const { challenge } = credential
  checkMade(services, of, challenge)
  if (challenge.digest !== asked.digest)
    throw new MppRefusal(
      'body_digest_mismatch',
      'The body is not the one that the challenge was made for. Pay the challenge of this request.',
    )
  const is = (one: { method: string; intent: string }) =>
    challenge.method === one.method && challenge.intent === one.intent
  if (is(EVM_CHARGE)) return readEvm(services, { ...of, ...asked }, credential)
  if (is(AGENTCARD_CHARGE)) return readCard(services, asked, credential)
  throw new MppRefusal('method_unsupported', 'The methods here are evm and agentcard.')
}

/** Refuses a challenge that the seller's paywall did not make for this resource. */
function checkMade(
  { mppKeys }: Uses<'mppKeys'>,
  { walletAddress, resource }: { walletAddress: Address; resource: string },
  challenge: Challenge,
): void {
  const keys = keysOfSeller(mppKeys.challenges, walletAddress)
  checkOrigin(challenge, { keys, realm: challenge.realm, scope: walletAddress })
  const map = challenge.opaque === undefined ? undefined : decodeJson(challenge.opaque)
  if (map && member(map, 'resource') === resource) return
  throw new MppRefusal(
    'challenge_scope_mismatch',
    'The challenge was made for something else. Pay the one of this URL.',
  )
}

function readHeader(value: string): Credential {
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

const repriced = (): MppRefusal =>
  new MppRefusal(
    'challenge_terms_mismatch',
    'The terms have changed since the challenge was made. Pay a fresh one.',
  )

function readEvm(
  { chain }: Uses<'chain'>,
  of: { walletAddress: Address; resource: string; amount: string },
  { challenge, payload: sent, source }: Credential,
): OnChain {
  const asset = defaultAsset(chain)
  const charge = readEvmTerms(challenge.terms)
  if (typeof charge === 'string' || charge.recipient !== of.walletAddress) throw repriced()
  if (String(charge.amount) !== of.amount) throw repriced()
  const payload = readEvmPayload(sent)
  checkEvmTerms({ challenge, asset, payload, source })
  const { authorization, signature } = payload
  const requirements = {
    scheme: 'exact',
    network: asset.network,
    amount: of.amount,
    asset: asset.contract,
    payTo: of.walletAddress,
    maxTimeoutSeconds: 300,
    extra: { ...asset.eip712 },
  }
  const written = {
    from: authorization.from,
    to: authorization.to,
    value: String(authorization.value),
    validAfter: String(authorization.validAfter),
    validBefore: String(authorization.validBefore),
    nonce: authorization.nonce,
  }
  const paymentPayload = {
    x402Version: 2,
    resource: { url: of.resource },
    accepted: requirements,
    payload: { signature, authorization: written },
  }
  return {
    method: 'evm',
    key: keyOfChallenge(challenge),
    payer: authorization.from,
    amount: amount(charge.amount),
    hash: sha256(JSON.stringify(paymentPayload)),
    isPrivate: true,
    body: { x402Version: 2, paymentPayload, paymentRequirements: requirements },
  }
}

function readCard(
  { settings, mppKeys }: Uses<'mppKeys' | 'settings'>,
  asked: MppIn,
  { challenge, payload }: Credential,
): ByCard {
  const charge = readAgentcardTerms(challenge.terms)
  if (typeof charge === 'string' || charge.issuer !== settings.publicUrl) throw repriced()
  if (String(charge.amount) !== asked.amount) throw repriced()
  const token = readCardToken(mppKeys.cardTokens, challenge, payload)
  return {
    method: 'agentcard',
    key: keyOfChallenge(challenge),
    payer: token.card,
    amount: amount(charge.amount),
    hash: sha256(JSON.stringify([challenge.id, token.card, token.hold])),
    isPrivate: true,
    challenge,
    token,
    recipient: charge.recipient,
  }
}
