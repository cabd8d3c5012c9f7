import type { Address, Hex } from '../kernel/assets.ts'
import { recoverSigner, unwrapSignature } from '../protocols/evm/eip3009/signature.ts'
import { askAccount } from './account-signature.ts'
import type { Chain } from './chain.ts'
import type { OneCall } from './multicall.ts'
import { hasCode } from './read-code.ts'

/** A signature that is the payer's: by its key, or because the contract at its address says so (ERC-1271). */
export type PayerSignature = {
  ok: true
  by: 'key' | 'contract'
  /** What the token is handed. */
  signature: Hex
  /** Set where the payer's contract is not deployed yet (ERC-6492). It runs before the token is called. */
  deployment?: OneCall
}
/** `factory_not_allowed`: the payer's contract is not deployed, and the operator has not allowed its factory. */
export type NotSigned = { ok: false; reason: 'not_signed' | 'factory_not_allowed' }
export type SignedDigest = { payer: Address; digest: Hex; signature: Hex }

/** The most that a factory may take: a smart account takes 150,000 to 400,000. */
export const DEPLOYMENT_GAS = 1_000_000n
const NOT_SIGNED: NotSigned = { ok: false, reason: 'not_signed' }

/** Recovers the payer's key from the signature. Undefined if another key, or no key, made it. Asks nobody. */
export function signedByKey({
  payer,
  digest,
  signature,
}: SignedDigest): PayerSignature | undefined {
  return recoverSigner(digest, signature) === payer ? { ok: true, by: 'key', signature } : undefined
}

/**
 * Judges a signature: first by the payer's key, then by the payer's contract as it stands at the newest block. A contract
 * that is not deployed yet is judged as one of the `factories` would deploy it.
 */
export async function judgeSignature(
  chain: Chain,
  signed: SignedDigest,
  factories: readonly Address[],
): Promise<PayerSignature | NotSigned> {
  const byKey = signedByKey(signed)
  if (byKey) return byKey
  const { payer, digest } = signed
  const unwrapped = unwrapSignature(signed.signature)
  if (!unwrapped) return NOT_SIGNED
  const { signature, deployment } = unwrapped
  const asked = { hash: digest, signature }
  if (await askAccount(chain, payer, asked)) return { ok: true, by: 'contract', signature }
  if (!deployment || (await hasCode(chain, payer))) return NOT_SIGNED
  if (!factories.includes(deployment.target)) return { ok: false, reason: 'factory_not_allowed' }
  const isGood = await askAccount(chain, payer, asked, deployment)
  return isGood ? { ok: true, by: 'contract', signature, deployment } : NOT_SIGNED
}
