import type { Asset } from '../../kernel/assets.ts'
import type { Amount } from '../../kernel/money.ts'
import { type JsonObject, member } from '../ap2/json.ts'
import { readUint } from '../x402/wire.ts'
import type { BindingKeys } from './binding.ts'
import { openClaims, sealClaims } from './mac.ts'
import { MppRefusal } from './refusal.ts'
import { readText } from './wire.ts'

/** Metered payments out of a budget that the issuer holds on a card: vouchers, each for the whole sum so far. */
export const AGENTCARD_SESSION = { method: 'agentcard', intent: 'session' } as const

const VOUCHER_USE = 'agentcard.session'
const CUMULATIVE_MAX = 2n ** 128n - 1n

/** The terms of a session: `unitPrice` base units for each unit (draft-payment-intent-session "Shared Fields"). */
export const sessionTerms = (session: {
  issuer: string
  asset: Asset
  unitPrice: Amount
  recipient: string
  unitType?: string
  /** The least by which a voucher must exceed the one before. */
  minStep?: Amount
}): JsonObject => ({
  amount: session.unitPrice.toString(),
  currency: session.asset.symbol.toLowerCase(),
  recipient: session.recipient,
  ...(session.unitType !== undefined && { unitType: session.unitType }),
  methodDetails: {
    issuer: session.issuer,
    decimals: session.asset.decimals,
    ...(session.minStep !== undefined && { minVoucherDelta: session.minStep.toString() }),
  },
})

export type SessionAction = 'open' | 'voucher' | 'close'

/** All that is authorised in a session so far, in base units. It replaces every voucher for less. */
export type Voucher = {
  readonly action: SessionAction
  readonly session: string
  readonly cumulativeAmount: bigint
}

/** The payload that authorises `cumulativeAmount` in all. The issuer makes it when the card may pay that much. */
export const voucherPayload = (key: Uint8Array, voucher: Voucher): JsonObject => ({
  action: voucher.action,
  sessionId: voucher.session,
  cumulativeAmount: voucher.cumulativeAmount.toString(),
  token: sealClaims(key, VOUCHER_USE, claimsOf(voucher)),
})

const claimsOf = ({ session, cumulativeAmount }: Omit<Voucher, 'action'>): JsonObject => ({
  cumulativeAmount: cumulativeAmount.toString(),
  session,
})

/** Reads a voucher of ours; refuses with `payload_invalid` or `voucher_invalid`. */
export function readVoucher(keys: BindingKeys, payload: JsonObject): Voucher {
  const action = member(payload, 'action')
  const session = readText(member(payload, 'sessionId'))
  const cumulativeAmount = readUint(member(payload, 'cumulativeAmount'))
  const token = member(payload, 'token')
  if (action !== 'open' && action !== 'voucher' && action !== 'close') throw malformed()
  if (session === undefined || typeof token !== 'string') throw malformed()
  if (cumulativeAmount === undefined || cumulativeAmount > CUMULATIVE_MAX) throw malformed()
  const claims = openClaims(keys, VOUCHER_USE, token)
  const signed = claimsOf({ session, cumulativeAmount })
  if (!claims || Object.entries(signed).some(([name, value]) => member(claims, name) !== value))
    throw new MppRefusal('voucher_invalid', 'The voucher was not issued here for this amount.')
  return { action, session, cumulativeAmount }
}

const malformed = (): MppRefusal =>
  new MppRefusal(
    'payload_invalid',
    'The payload is not a voucher: action, sessionId, cumulativeAmount and token.',
  )

/** What the books say of a session, in base units. */
export type SessionState = {
  readonly session: string
  readonly isOpen: boolean
  readonly budget: bigint
  /** The highest amount that a voucher has authorised. */
  readonly authorised: bigint
  readonly minStep: bigint
}

/**
 * By how much the voucher raises what is authorised: it only grows, never above the budget. Zero for one that is known or
 * overtaken, which is a success without effect (draft-evm-session "Idempotency").
 */
export function stepOf(state: SessionState, voucher: Voucher): bigint {
  if (voucher.session !== state.session)
    throw new MppRefusal('voucher_session_mismatch', 'The voucher is for another session.')
  const step = voucher.cumulativeAmount - state.authorised
  if (step <= 0n) return 0n
  if (!state.isOpen) throw new MppRefusal('session_closed', 'The session is closed.')
  if (voucher.cumulativeAmount > state.budget)
    throw new MppRefusal('voucher_above_budget', 'The voucher exceeds the budget of the session.')
  // The last voucher settles what is left, however little.
  if (step < state.minStep && voucher.action !== 'close')
    throw new MppRefusal('voucher_step_too_small', 'The voucher raises the amount by too little.')
  return step
}
