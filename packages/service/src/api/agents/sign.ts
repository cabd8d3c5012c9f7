import { Kept } from '../../base/kernel/bounded.ts'
import { randomToken } from '../../base/kernel/secrets.ts'
import type { SignedRequest } from '../../base/protocols/http-signatures/message.ts'
import { readAccepted, signRequest } from '../../base/protocols/http-signatures/sign.ts'
import { readRequestKeys } from '../../base/signing-keys/request-keys.ts'
import { perServices, type Uses } from '../http/services.ts'

/**
 * The headers that sign a request in this service's name, if `accepted`, a seller's `Accept-Signature`, asks for one by
 * Web Bot Auth.
 */
export type SignAsAgent = (
  request: SignedRequest,
  accepted: string | undefined,
) => Promise<Record<string, string> | undefined>

/** After a rotation every process signs with the new key within this time. */
const KEPT_MS = 60_000
/** The parts that sign a request in the service's name. */
export type SignUses = Uses<'clock' | 'db' | 'sealKey' | 'settings'>
const signersOf = perServices(() => new Kept<Awaited<ReturnType<typeof readRequestKeys>>>(1))

export const signerAsAgent =
  (services: SignUses): SignAsAgent =>
  async (request, accepted) => {
    const asked = readAccepted(accepted)
    if (!asked) return undefined
    const at = services.clock.now()
    const ask = () => readRequestKeys(services, at)
    const [{ signer }] = await signersOf(services.db).get('keys', at, { ms: KEPT_MS, ask })
    const { origin } = new URL(services.settings.publicUrl)
    return signRequest(request, { signer, origin, asked, nonce: randomToken(), at })
  }
