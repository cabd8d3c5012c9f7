import { judgeSignature } from '../../../chain/accounts/judge-signature.ts'
import { type Latest, nowSecondsOf } from '../../../chain/read-latest.ts'
import {
  type AgreedPermit,
  readPermit2Presence,
  readPermitStanding,
  wouldSettle,
} from '../../../chain/transfers/permit2.ts'
import { perServices, type Services } from '../../../http/services.ts'
import type { Address, Hex } from '../../../kernel/assets.ts'
import { EXACT_PERMIT2_PROXY, PERMIT2 } from '../../../protocols/evm/permit2/abi.ts'
import {
  type Permit,
  permitDigest,
  settlePermitData,
} from '../../../protocols/evm/permit2/permit.ts'
import { permitTimeRefusal } from '../../../protocols/x402/payment/permit2.ts'
import { type Refused, refused } from '../../../protocols/x402/refusal.ts'

/** The call that submits a payment, and the most gas that it may take. */
export type Call = { to: Address; data: Hex; gas: bigint }

/** A plain token takes 97,000 through the proxy and Permit2. A payment that takes more than this is refused. */
const GAS_BY_KEY = 300_000n
const GAS_BY_CONTRACT = 500_000n
/** A contract that is not deployed can have let Permit2 move nothing. */
const NO_FACTORIES: readonly Address[] = []

/** Whether time and signature are good, and the call that carries the permit. */
export async function lookAtPermit(
  { chain }: Services,
  { permit, signature }: { permit: Permit; signature: Hex },
  { latest, at }: { latest: Latest; at: Date },
): Promise<{ ok: true; call: Call } | Refused> {
  const untimely = permitTimeRefusal(permit, nowSecondsOf(latest, at))
  if (untimely) return untimely
  const to = EXACT_PERMIT2_PROXY
  const digest = permitDigest(chain.chainId, permit)
  const presented = { signer: permit.from, digest, signature }
  const signed = await judgeSignature(chain, presented, NO_FACTORIES)
  if (!signed.ok)
    return refused('invalid_permit2_signature', 'The signature is not that of the payer.')
  const data = settlePermitData(permit, signed.signature)
  return { ok: true, call: { to, data, gas: signed.by === 'key' ? GAS_BY_KEY : GAS_BY_CONTRACT } }
}

/**
 * The reason for which the permit would not be submitted now, if any. Anyone may have written the token's code: its call
 * is simulated alone, within the gas that it will have, to see what it moves. The reason is read from the chain, not from
 * the token's words.
 */
export async function askPermit2(
  { chain }: Services,
  permit: AgreedPermit,
  call: Call,
): Promise<Refused | undefined> {
  if (await wouldSettle(chain, call, permit)) return undefined
  const { isUsed, balance, allowance } = await readPermitStanding(chain, permit)
  if (isUsed) return refused('permit2_invalid_nonce', 'The permit was used or cancelled before.')
  if (balance !== undefined && balance < permit.value)
    return refused('permit2_insufficient_balance', 'The payer has too little of the token.')
  if (allowance !== undefined && allowance < permit.value)
    return refused(
      'permit2_allowance_required',
      `The payer has to let Permit2 move the token first: approve ${PERMIT2} on the token.`,
    )
  return refused(
    'permit2_simulation_failed',
    "The token, or the payer's own contract, refuses the transfer, or the token takes a part of it.",
  )
}

const watches = perServices((): { asking?: Promise<boolean> } => ({}))

/** Whether the chain has Permit2 and x402's proxy. Asked until it has; callers at the same time share one question. */
export async function isPermit2There(services: Services): Promise<boolean> {
  const watch = watches(services)
  watch.asking ??= readPermit2Presence(services.chain)
  const isThere = await watch.asking.catch((error) => {
    delete watch.asking
    throw error
  })
  if (!isThere) delete watch.asking
  return isThere
}
