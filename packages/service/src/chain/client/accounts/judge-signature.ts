import type { Address, Hex } from '../../../base/kernel/assets.ts'
import { isSignedBy, unwrapSignature } from '../../../base/protocols/evm/eip3009/signature.ts'
import type { Chain } from '../chain.ts'
import type { OneCall } from '../multicall.ts'
import { hasCode } from '../reads.ts'
import { askAccount } from './ask-account.ts'

/** A signature proved to be the signer's: by its key, or because the contract at its address accepts it (ERC-1271). */
export type GoodSignature = {
  ok: true
  by: 'key' | 'contract'
  /** In the form that the token or the account takes. */
  signature: Hex
  /** Set if the signer's contract is not deployed yet (ERC-6492). It must run before the token is called. */
  deployment?: OneCall
}
/** `factory_not_allowed`: the signer's contract is not deployed, and its factory is not in the list given. */
export type NotSigned = { ok: false; reason: 'not_signed' | 'factory_not_allowed' }
export type SignedDigest = { signer: Address; digest: Hex; signature: Hex }

/** The most gas that a factory may take: a smart account takes 150,000 to 400,000. */
export const DEPLOYMENT_GAS = 1_000_000n
const NOT_SIGNED: NotSigned = { ok: false, reason: 'not_signed' }

/** Judges a signature by the signer's key alone, without asking a node. Undefined unless that key made it. */
export function signedByKey({
  signer,
  digest,
  signature,
}: SignedDigest): GoodSignature | undefined {
  return isSignedBy(signer, digest, signature) ? { ok: true, by: 'key', signature } : undefined
}

/** Judges a signature by the signer's key, then by the signer's contract as `judgeByContract` does. */
export async function judgeSignature(
  chain: Chain,
  signed: SignedDigest,
  factories: readonly Address[],
): Promise<GoodSignature | NotSigned> {
  return signedByKey(signed) ?? judgeByContract(chain, signed, factories)
}

/**
 * Judges a signature by the contract at the signer's address in the newest block. A contract that is not deployed yet
 * is judged as one of the `factories` would deploy it. An address without code or deployment did not sign.
 */
export async function judgeByContract(
  chain: Chain,
  { signer, digest, signature: presented }: SignedDigest,
  factories: readonly Address[],
): Promise<GoodSignature | NotSigned> {
  const unwrapped = unwrapSignature(presented)
  if (!unwrapped) return NOT_SIGNED
  const { signature, deployment } = unwrapped
  const asked = { hash: digest, signature }
  if (await askAccount(chain, signer, asked)) return { ok: true, by: 'contract', signature }
  if (!deployment || (await hasCode(chain, signer))) return NOT_SIGNED
  if (!factories.includes(deployment.target)) return { ok: false, reason: 'factory_not_allowed' }
  const isGood = await askAccount(chain, signer, asked, deployment)
  return isGood ? { ok: true, by: 'contract', signature, deployment } : NOT_SIGNED
}
