import { keccak256, stringToBytes } from 'viem'
import type { Address, Asset, Hex } from '../../../kernel/assets.ts'
import type { Amount } from '../../../kernel/money.ts'
import {
  type TransferAuthorization,
  VALIDITY_MARGIN_SECONDS,
} from '../../evm/eip3009/authorization.ts'
import { parseSignature, recoverAuthorizationSigner } from '../../evm/eip3009/signature.ts'
import { isList, isObject, type JsonObject, member } from '../../json.ts'
import { readAddress, readHex, readToken, readUint } from '../../x402/wire.ts'
import type { Challenge } from '../headers/challenge.ts'
import { readPrice, readText } from '../headers/wire.ts'
import { MppRefusal } from '../refusal.ts'

export const EVM_CHARGE = { method: 'evm', intent: 'charge' } as const

/** Permit2's address on every chain. The draft requires it even from a server that takes no permits. */
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
/** The largest chain id that a contract can compare and JSON can hold. */
const CHAIN_ID_MAX = 1e15

/** The terms of an evm challenge, paid by EIP-3009 authorization (draft-evm-charge "Request Schema"). */
export type EvmCharge = {
  readonly chainId: number
  readonly currency: Address
  /** Base units, above zero. */
  readonly amount: bigint
  readonly recipient: Address
  readonly decimals: number | undefined
  readonly externalId: string | undefined
}

export type EvmSkipReason =
  | 'malformed'
  | 'invalid_amount'
  | 'invalid_asset'
  | 'invalid_recipient'
  | 'unsupported_network'
  | 'unsupported_credential_type'
  | 'unsupported_splits'

/** The terms of a charge by EIP-3009: `amount` base units of the asset to the recipient. */
export const evmTerms = (charge: {
  asset: Asset
  amount: Amount
  recipient: Address
  externalId?: string
}): JsonObject => ({
  amount: charge.amount.toString(),
  currency: charge.asset.contract,
  recipient: charge.recipient,
  ...(charge.externalId !== undefined && { externalId: charge.externalId }),
  methodDetails: {
    chainId: charge.asset.chainId,
    credentialTypes: ['authorization'],
    decimals: charge.asset.decimals,
    permit2Address: PERMIT2,
  },
})

/** Reads terms that an EIP-3009 authorization can pay, or answers why none can. */
export function readEvmTerms(terms: JsonObject): EvmCharge | EvmSkipReason {
  const details = member(terms, 'methodDetails')
  if (!isObject(details)) return 'malformed'
  const chainId = member(details, 'chainId')
  if (typeof chainId !== 'number' || chainId < 1 || chainId > CHAIN_ID_MAX)
    return 'unsupported_network'
  const types = member(details, 'credentialTypes')
  // A server that names no types takes signed transactions, and permits only at its choice.
  if (!isList(types) || !types.includes('authorization')) return 'unsupported_credential_type'
  if (member(details, 'splits') !== undefined) return 'unsupported_splits'
  const amount = readPrice(member(terms, 'amount'))
  if (amount === undefined) return 'invalid_amount'
  const currency = readToken(member(terms, 'currency'))
  if (!currency) return 'invalid_asset'
  const recipient = readAddress(member(terms, 'recipient'))
  if (!recipient) return 'invalid_recipient'
  const decimals = member(details, 'decimals')
  if (decimals !== undefined && typeof decimals !== 'number') return 'malformed'
  const externalId = readText(member(terms, 'externalId'))
  return { chainId, currency, amount, recipient, decimals, externalId }
}

/** The nonce that binds an authorization to its challenge (draft-evm-charge "Challenge Binding"). */
export const challengeNonce = (challenge: Pick<Challenge, 'id' | 'realm'>): Hex =>
  keccak256(stringToBytes(challenge.id + challenge.realm))

export type EvmPayload = {
  readonly authorization: TransferAuthorization
  readonly signature: Hex
}

export const evmPayload = ({ authorization, signature }: EvmPayload): JsonObject => ({
  type: 'authorization',
  from: authorization.from,
  to: authorization.to,
  value: authorization.value.toString(),
  validAfter: authorization.validAfter.toString(),
  validBefore: authorization.validBefore.toString(),
  nonce: authorization.nonce,
  signature,
})

/** The payer in the form of a credential's `source`. */
export const evmSource = (chainId: number, payer: Address): string =>
  `did:pkh:eip155:${chainId}:${payer}`

/** Reads the payload of a credential of type `authorization`. Throws `payload_invalid`. */
export function readEvmPayload(payload: JsonObject): EvmPayload {
  if (member(payload, 'type') !== 'authorization')
    throw new MppRefusal('payload_invalid', 'Only payloads of type authorization are accepted.')
  const [from, to] = [readAddress(member(payload, 'from')), readAddress(member(payload, 'to'))]
  const value = readUint(member(payload, 'value'))
  const validAfter = readUint(member(payload, 'validAfter'))
  const validBefore = readUint(member(payload, 'validBefore'))
  const nonce = readHex(member(payload, 'nonce'), 32)
  if (!from || !to || !nonce || value === undefined) throw malformed()
  if (validAfter === undefined || validBefore === undefined) throw malformed()
  const signature = readHex(member(payload, 'signature'), 65)
  if (!signature || !parseSignature(signature))
    throw new MppRefusal(
      'payload_invalid',
      'The signature is not 65 bytes of r, low s and v in hexadecimal.',
    )
  return { authorization: { from, to, value, validAfter, validBefore, nonce }, signature }
}

const malformed = (): MppRefusal =>
  new MppRefusal('payload_invalid', 'A field of the EIP-3009 authorization is malformed.')

type EvmPayment = {
  challenge: Challenge
  asset: Asset
  payload: EvmPayload
  source?: string | undefined
}

/**
 * Refuses an authorization that does not pay exactly its challenge's terms, is not valid at `nowSeconds` (Unix), or is
 * not signed by its payer. These are all the checks of draft-evm-charge "Authorization Verification" that need no
 * chain. The caller has checked that the asset is ours, and the challenge too (`checkBinding`).
 */
export function checkEvmPayment(payment: EvmPayment & { nowSeconds: bigint }): void {
  checkTimes(payment.payload.authorization, payment.nowSeconds)
  checkEvmTerms(payment)
}

/** As `checkEvmPayment`, without the times: an authorization that was accepted in time may be presented again. */
export function checkEvmTerms({ challenge, asset, payload, source }: EvmPayment): void {
  const { authorization, signature } = payload
  const charge = readEvmTerms(challenge.terms)
  if (typeof charge === 'string' || !isIn(asset, charge))
    throw new MppRefusal(
      'challenge_terms_mismatch',
      'The challenge is not for an authorization of this asset.',
    )
  if (authorization.to !== charge.recipient)
    throw new MppRefusal('authorization_recipient_mismatch', 'The authorization pays someone else.')
  if (authorization.value !== charge.amount)
    throw new MppRefusal(
      'authorization_amount_mismatch',
      'The authorization is not for the exact amount of the challenge.',
    )
  if (authorization.nonce.toLowerCase() !== challengeNonce(challenge))
    throw new MppRefusal(
      'authorization_nonce_mismatch',
      'The nonce of the authorization is not the hash of its challenge.',
    )
  if (recoverAuthorizationSigner(asset, authorization, signature) !== authorization.from)
    throw new MppRefusal(
      'authorization_signature_invalid',
      'The signature is not that of the payer.',
    )
  const payer = evmSource(asset.chainId, authorization.from)
  if (source !== undefined && source.toLowerCase() !== payer.toLowerCase())
    throw new MppRefusal(
      'authorization_source_mismatch',
      'The source of the credential is not the payer who signed.',
    )
}

/** Whether a charge is in this asset: its token and its chain. */
export const isIn = (asset: Asset, charge: EvmCharge): boolean =>
  charge.chainId === asset.chainId && charge.currency.toLowerCase() === asset.contract.toLowerCase()

function checkTimes(authorization: TransferAuthorization, nowSeconds: bigint): void {
  if (authorization.validBefore < nowSeconds + VALIDITY_MARGIN_SECONDS)
    throw new MppRefusal('authorization_expired', 'The authorization has expired or is about to.')
  if (authorization.validAfter >= nowSeconds)
    throw new MppRefusal('authorization_not_yet_valid', 'The authorization is not valid yet.')
}
