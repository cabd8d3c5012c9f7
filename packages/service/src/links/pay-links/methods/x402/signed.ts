import { perServices, type Uses } from '../../../../api/http/services.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import { unixSeconds } from '../../../../base/kernel/clock.ts'
import { signJws } from '../../../../base/protocols/ap2/jose/jws.ts'
import type { PaymentRequired } from '../../../../base/protocols/x402/requirements.ts'
import {
  type OfferTerms,
  offersExtension,
  type ReceiptTerms,
  receiptExtension,
  toSign,
} from '../../../../base/protocols/x402/signed/write.ts'
import type { JsonObject } from '../../../../base/protocols/x402/wire.ts'
import { keyUrlOf } from '../../../../base/signing-keys/did.ts'
import type { PayLink } from '../../../link/store.ts'

type Here = Uses<'settings' | 'signing'>

/** Offers end at whole periods, and hold one to two of them. So within a period a link's offer is signed once. */
const PERIOD_SECONDS = 300
/** Beyond so many the oldest is forgotten: who asks for a link by a million amounts takes no more memory. */
const KEPT_MAX = 1_000

const keptOf = perServices((_: Here) => new Map<string, Promise<string>>())

/** Our offers, each signed for the resource that the 402 names. */
export async function signOffers(
  services: Here,
  at: Date,
  { link, required }: { link: PayLink; required: PaymentRequired },
): Promise<JsonObject> {
  const period = Math.floor(unixSeconds(at) / PERIOD_SECONDS)
  const untilPeriod = (period + 2) * PERIOD_SECONDS
  const ends = link.expiresAt ? unixSeconds(link.expiresAt) : untilPeriod
  const signatures = required.accepts.map(({ scheme, network, asset, payTo, amount }) =>
    signKept(services, at, {
      resourceUrl: required.resource.url,
      ...{ scheme, network, asset, payTo, amount },
      validUntil: Math.min(ends, untilPeriod),
    }),
  )
  return offersExtension(await Promise.all(signatures))
}

async function signKept(services: Here, at: Date, terms: OfferTerms): Promise<string> {
  const kept = keptOf(services)
  const { kid } = await services.signing.current(at)
  const name = JSON.stringify([kid, terms])
  const known = kept.get(name)
  if (known !== undefined) return known
  if (kept.size >= KEPT_MAX) {
    const [oldest] = kept.keys()
    assert(oldest !== undefined, 'what is full has an oldest entry')
    kept.delete(oldest)
  }
  const signed = signTerms(services, at, terms)
  kept.set(name, signed)
  signed.catch(() => kept.delete(name))
  return signed
}

/** Says, signed, that the payer has paid for the resource. For the same payment it says the same each time. */
export const signReceipt = async (
  services: Here,
  at: Date,
  receipt: ReceiptTerms,
): Promise<JsonObject> => receiptExtension(await signTerms(services, at, receipt))

async function signTerms(
  { settings, signing }: Here,
  at: Date,
  terms: OfferTerms | ReceiptTerms,
): Promise<string> {
  const { kid, sign } = await signing.current(at)
  return signJws({ kid: keyUrlOf(settings.publicUrl, kid) }, toSign(terms), sign)
}
