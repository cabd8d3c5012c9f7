import type { KeyObject } from 'node:crypto'
import { checkSignature, checkSignatureInPool, importKey, type SignatureCheck } from './keys.ts'
import type { Presentation } from './presentation.ts'
import { Ap2Refusal } from './refusal.ts'

/** The key that our own trust sources have for this root; `undefined` where they have none: such a root is refused. */
export type RootKey = KeyObject | undefined

/**
 * Checks every signature, the root's first: an agent key counts only because the root names it. Throws
 * `mandate_key_untrusted` or `mandate_invalid_signature`.
 */
export function checkSignatures({ signatures }: Presentation, rootKey: RootKey): void {
  for (const check of signatures)
    if (!checkSignature(check, keyFor(check, rootKey))) throw badSignature(check)
}

/** As `checkSignatures`, in Node's thread pool. */
export async function checkSignaturesInPool(
  { signatures }: Presentation,
  rootKey: RootKey,
): Promise<void> {
  const results = await Promise.all(
    signatures.map((check) => checkSignatureInPool(check, keyFor(check, rootKey))),
  )
  const bad = signatures.find((_, index) => results[index] !== true)
  if (bad) throw badSignature(bad)
}

function keyFor({ key }: SignatureCheck, rootKey: RootKey): KeyObject {
  if (!rootKey)
    throw new Ap2Refusal('mandate_key_untrusted', 'The key that signed the mandate is not trusted')
  return key === 'root' ? rootKey : importKey(key)
}

const badSignature = ({ key }: SignatureCheck): Ap2Refusal =>
  new Ap2Refusal(
    'mandate_invalid_signature',
    key === 'root'
      ? 'The signature of the root is not of its key'
      : 'The closed mandate is not signed by the key that its open one names',
  )
