import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { VALIDITY_MARGIN_SECONDS } from '../../../base/protocols/evm/eip3009/authorization.ts'
import {
  EXACT_PERMIT2_PROXY,
  PERMIT2,
  UPTO_PERMIT2_PROXY,
} from '../../../base/protocols/evm/permit2/abi.ts'
import {
  type Permit,
  permitDigest,
  settlePermitData,
  settleWithPermitData,
} from '../../../base/protocols/evm/permit2/permit.ts'
import { settleUptoData, uptoDigest } from '../../../base/protocols/evm/permit2/upto.ts'
import { permitTimeRefusal } from '../../../base/protocols/x402/payment/permit2.ts'
import type { TokenPermit } from '../../../base/protocols/x402/payment/sponsored.ts'
import { type Refused, refused } from '../../../base/protocols/x402/refusal.ts'
import { judgeSignature } from '../../client/accounts/judge-signature.ts'
import type { Chain } from '../../client/chain.ts'
import { type Latest, nowSecondsOf } from '../../client/read-latest.ts'
import type { Funds } from '../../client/simulate.ts'
import { readTokenBalance } from '../../client/tokens/calls.ts'
import { type AgreedPermit, readPermitStanding, wouldSettle } from '../reads/permit2.ts'

/** The call that submits a payment, the most gas that it may take, and the one relayer that may make it, if one alone may. */
export type Call = { to: Address; data: Hex; gas: bigint; by?: Address }

/** A plain token takes 97,000 through the proxy and Permit2. A payment that takes more than this is refused. */
const GAS_BY_KEY = 300_000n
const GAS_BY_CONTRACT = 500_000n
/** A first payment with one took 138,000 in all, in a token like USDC. */
const GAS_OF_TOKEN_PERMIT = 100_000n
/** A contract that is not deployed can have let Permit2 move nothing. */
const NO_FACTORIES: readonly Address[] = []

type Here = { chain: Chain }
type Looked = { ok: true; call: Call } | Refused
type Presented = { permit: Permit; signature: Hex }
type When = { latest: Latest; at: Date }

/** Whether time and signature are good, and the call that carries the permit. */
export const lookAtPermit = (here: Here, of: Presented, when: When): Promise<Looked> =>
  look(here, of, {
    ...when,
    digest: permitDigest(here.chain.chainId, of.permit),
    callOf: (signature) => ({
      to: EXACT_PERMIT2_PROXY,
      data: settlePermitData(of.permit, signature),
    }),
  })

/** As `lookAtPermit`, for a payer who allows Permit2 the amount by an EIP-2612 permit of the token in the same call. */
export async function lookAtSponsored(
  here: Here,
  of: Presented & { tokenPermit: TokenPermit },
  when: When,
): Promise<Looked> {
  const { permit, tokenPermit } = of
  if (tokenPermit.deadline < nowSecondsOf(when.latest, when.at) + VALIDITY_MARGIN_SECONDS)
    return refused('eip2612_deadline_expired', 'The EIP-2612 permit has expired or is about to.')
  const looked = await look(here, of, {
    ...when,
    digest: permitDigest(here.chain.chainId, permit),
    callOf: (signature) => ({
      to: EXACT_PERMIT2_PROXY,
      data: settleWithPermitData(permit, signature, tokenPermit),
    }),
  })
  if (!looked.ok) return looked
  const { call } = looked
  return { ok: true, call: { ...call, gas: call.gas + GAS_OF_TOKEN_PERMIT } }
}

/** As `lookAtPermit`, for a permit of which the facilitator, a relayer of ours, moves `amount`. */
export async function lookAtUpto(
  here: Here,
  of: Presented & { facilitator: Address; amount: bigint },
  when: When,
): Promise<Looked> {
  const { chain } = here
  const { facilitator: by } = of
  if (!chain.relayers.some(({ address }) => address === by))
    return refused(
      'upto_facilitator_mismatch',
      'The permit is for another facilitator: ours stands in extra.facilitatorAddress of /supported.',
    )
  return look(here, of, {
    ...when,
    digest: uptoDigest(chain.chainId, of),
    callOf: (signature) => ({
      to: UPTO_PERMIT2_PROXY,
      data: settleUptoData(of, of.amount, signature),
      by,
    }),
  })
}

async function look(
  { chain }: Here,
  { permit, signature }: Presented,
  of: When & { digest: Hex; callOf(signature: Hex): Omit<Call, 'gas'> },
): Promise<Looked> {
  const untimely = permitTimeRefusal(permit, nowSecondsOf(of.latest, of.at))
  if (untimely) return untimely
  const presented = { signer: permit.from, digest: of.digest, signature }
  const signed = await judgeSignature(chain, presented, NO_FACTORIES)
  if (!signed.ok)
    return refused('invalid_permit2_signature', 'The signature is not that of the payer.')
  const gas = signed.by === 'key' ? GAS_BY_KEY : GAS_BY_CONTRACT
  return { ok: true, call: { ...of.callOf(signed.signature), gas } }
}

/**
 * The reason for which the permit would not be submitted now, if any. Anyone may have written the token's code: its call
 * is simulated alone, within the gas that it will have, to see what it moves. The reason is read from the chain, not from
 * the token's words.
 */
export async function askPermit2(
  { chain }: Here,
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

/** As `askPermit2`, with the payer's balance at the block of the look. */
export async function askWithFunds(
  here: Here,
  permit: AgreedPermit,
  { call, latest }: { call: Call; latest: Latest },
): Promise<{ refusal: Refused | undefined; funds: Funds }> {
  const [refusal, balance] = await Promise.all([
    askPermit2(here, permit, call),
    readTokenBalance(here.chain, permit.token, permit.from),
  ])
  return { refusal, funds: { balance: balance ?? 0n, block: latest.number } }
}
