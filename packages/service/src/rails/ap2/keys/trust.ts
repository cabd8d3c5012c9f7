import type { KeyObject } from 'node:crypto'
import { Bounded } from '../../../base/kernel/bounded.ts'
import { digestOf } from '../../../base/protocols/ap2/jose/digest.ts'
import {
  checkSignature,
  checkSignatureAside,
  importKey,
  type PublicJwk,
  type SignatureCheck,
  thumbprintOf,
} from '../../../base/protocols/ap2/jose/keys.ts'
import type { Hop } from '../../../base/protocols/ap2/read/hop.ts'
import type { Presentation } from '../../../base/protocols/ap2/read/presentation.ts'
import { Ap2Refusal } from '../../../base/protocols/ap2/refusal.ts'
import type { PayerCard } from './store.ts'

/** The signer of a root: the service, or a user of the payer's card. */
export type RootOf = 'service' | 'user'

/** The size of a process's caches of imported keys and of verified roots. */
const KEPT_MAX = 10_000

export type Verifier = {
  /**
   * Checks every signature with keys that we trust, and answers who signed the root. Throws
   * `mandate_key_untrusted` or `mandate_invalid_signature`.
   */
  verify(
    presentation: Presentation,
    trust: { card: PayerCard; serviceKey: KeyObject | undefined },
  ): Promise<RootOf>
}

type TrustedKey = { name: string; key: KeyObject }

/**
 * Importing a key costs as much as a verification, so imported keys and verified roots are cached. While `isAside` says so,
 * signatures are checked on other threads.
 */
export function createVerifier(isAside: () => boolean): Verifier {
  const imported = new Bounded<TrustedKey>(KEPT_MAX)
  const verified = new Bounded<true>(KEPT_MAX)

  function keyOf(jwk: PublicJwk): TrustedKey {
    const name = `${jwk.x}.${jwk.y}`
    const known = imported.get(name)
    if (known) return known
    const trusted = { name, key: importKey(jwk) }
    imported.set(name, trusted)
    return trusted
  }

  const check = async (signed: SignatureCheck, { key }: TrustedKey): Promise<boolean> =>
    isAside() ? checkSignatureAside(signed, key) : checkSignature(signed, key)

  /** Every charge under one open mandate has the same root, so its verification is cached. */
  async function isOpenBy(root: SignatureCheck, trusted: TrustedKey): Promise<boolean> {
    const signature = Buffer.from(root.signature).toString('base64url')
    const fact = digestOf(`${trusted.name}.${root.signingInput}.${signature}`)
    if (verified.get(fact)) return true
    if (!(await check(root, trusted))) return false
    verified.set(fact, true)
    return true
  }

  return {
    async verify(presentation, { card, serviceKey }) {
      const rootOf: RootOf = serviceKey ? 'service' : 'user'
      const keys = serviceKey
        ? [{ name: presentation.rootKid ?? '', key: serviceKey }]
        : userKeysFor(presentation.rootKid, card).map(keyOf)
      if (keys.length === 0)
        throw new Ap2Refusal(
          'mandate_key_untrusted',
          'No key that may sign for this card signed the mandate. Register the user key on the card',
        )
      checkAgent(presentation, card)
      const [root, terminal] = presentation.signatures
      const checkRootBy = terminal ? isOpenBy : check
      let isRoot = false
      for (const trusted of keys)
        isRoot ||= root !== undefined && (await checkRootBy(root, trusted))
      // The root is checked first: the agent's key is trusted only because the root names it.
      if (!isRoot) throw badSignature('The signature of the root is not of its key')
      if (terminal && (terminal.key === 'root' || !(await check(terminal, keyOf(terminal.key)))))
        throw badSignature('The closed mandate is not signed by the key that its open one names')
      return rootOf
    },
  }
}

/** Refuses a root that no user key of the card has signed. */
export function checkRoot(
  { header, signingInput, signature }: Pick<Hop, 'header' | 'signingInput' | 'signature'>,
  card: PayerCard,
): void {
  const root: SignatureCheck = { signingInput, signature, key: 'root' }
  const keys = userKeysFor(header.kid, card).map(importKey)
  if (!keys.some((key) => checkSignature(root, key)))
    throw new Ap2Refusal('mandate_key_untrusted', 'No user key of this card signed it')
}

/** Agent keys are never included: an agent could then sign without the open mandate and its limits. */
const userKeysFor = (kid: string | undefined, { userKeys }: PayerCard): PublicJwk[] => {
  if (kid === undefined) return Object.values(userKeys)
  const key = Object.hasOwn(userKeys, kid) ? userKeys[kid] : undefined
  return key ? [key] : []
}

/** Refuses an agent key that the card has revoked, under any open mandate. */
function checkAgent({ open }: Presentation, { revokedAgents }: PayerCard): void {
  if (open && revokedAgents.length > 0 && revokedAgents.includes(thumbprintOf(open.agentKey)))
    throw new Ap2Refusal('mandate_key_untrusted', 'The agent key was revoked on this card')
}

const badSignature = (detail: string): Ap2Refusal =>
  new Ap2Refusal('mandate_invalid_signature', detail)
