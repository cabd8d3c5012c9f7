import type { Egress } from '../../../base/egress/egress.ts'
import { EgressError } from '../../../base/egress/errors.ts'
import type { Place } from '../../../base/egress/guard/places.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { type PublishedKeys, publicPartOf } from '../../../base/protocols/x402/signed/judge.ts'
import { readSignedText } from '../../../base/protocols/x402/signed/read.ts'
import { isObject, type JsonObject, parseJsonObject } from '../../../base/protocols/x402/wire.ts'
import { type PayProtocol, readAnswer } from './claims.ts'
import type { Presented } from './exchange.ts'

const DOCUMENT_MAX_BYTES = 64 * 1024
/** The chain is watched for as long meanwhile, so that nobody waits for a key. */
const TIMEOUT_MS = 3_000
const METHODS_MAX = 64

/**
 * The keys by which the seller signed its offer and receipt, as its own host publishes them (DID method `web`). A name on
 * another host is not asked: that host cannot vouch for this seller. Undefined if there is nothing to ask for, or no answer.
 */
export async function findSellerKeys(
  egress: Egress,
  of: {
    payment: { protocol: PayProtocol; signedOffer: JsonObject | null; url: string }
    presented: Exclude<Presented, { kind: 'unsent' }>
    place: Place | undefined
  },
): Promise<PublishedKeys | undefined> {
  const { payment, presented, place } = of
  const receipt = readAnswer(payment.protocol, presented).receipt?.signed
  const kids = [payment.signedOffer, receipt].flatMap((sent) => (sent ? kidOf(sent) : []))
  const documents = new Map<string, Promise<JsonObject | undefined>>()
  const found: Record<string, JsonObject> = {}
  const find = async (kid: string): Promise<void> => {
    const url = documentOf(kid, payment.url)
    if (url === undefined) return
    const reading = documents.get(url) ?? readDocument(egress, { url, place })
    documents.set(url, reading)
    // A key is believed in its own document alone: one place of a host does not speak for another.
    const key = keyIn((await reading) ?? {}, kid)
    if (key) found[kid] = key
  }
  await Promise.all([...new Set(kids)].map(find))
  return Object.keys(found).length > 0 ? found : undefined
}

function kidOf(sent: JsonObject): string[] {
  const text = readSignedText(sent)
  return text?.format === 'jws' && text.kid !== undefined ? [text.kid] : []
}

/** The DID document that the name is in, if the seller's own host has it, at its root or above the URL that was paid. */
export function documentOf(kid: string, paidUrl: string): string | undefined {
  const [, written] = /^did:web:([^#?/]+)#[^#]+$/.exec(kid) ?? []
  const [host = '', ...places] = written?.split(':') ?? []
  const { origin, host: paidHost, pathname } = new URL(paidUrl)
  const path = places.map((part) => `/${part}`).join('')
  if (decodeURIComponentOr(host, '') !== paidHost) return undefined
  if (!`${pathname}/`.startsWith(`${path}/`)) return undefined
  return `${origin}${path === '' ? '/.well-known' : path}/did.json`
}

const decodeURIComponentOr = (text: string, otherwise: string): string => {
  try {
    return decodeURIComponent(text).toLowerCase()
  } catch (error) {
    if (error instanceof URIError) return otherwise
    throw error
  }
}

function keyIn({ verificationMethod }: JsonObject, kid: string): JsonObject | undefined {
  const methods = Array.isArray(verificationMethod) ? verificationMethod : []
  const method = methods.slice(0, METHODS_MAX).find((one) => isObject(one) && one.id === kid)
  return publicPartOf(method?.publicKeyJwk)
}

async function readDocument(
  egress: Egress,
  { url, place }: { url: string; place: Place | undefined },
): Promise<JsonObject | undefined> {
  try {
    const answer = await egress.fetch({
      ...{ url, method: 'GET', place },
      timeoutMs: TIMEOUT_MS,
      maxBytes: DOCUMENT_MAX_BYTES,
    })
    return answer.status === 200 && !answer.truncated ? parseJsonObject(answer.body) : undefined
  } catch (error) {
    // Without the key the payment is as good, and its evidence says that the key is missing.
    if (error instanceof EgressError || error instanceof Problem) return undefined
    throw error
  }
}
