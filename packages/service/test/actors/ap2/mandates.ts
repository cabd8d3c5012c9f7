/**
 * Mandates of a payer, an agent and a service for the tests: made by the codec, or forged as a hostile issuer would.
 */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import {
  joinChain,
  makeDirectMandate,
  makeOpenMandate,
  makeTerminalMandate,
} from '../../../src/base/protocols/ap2/issue/issue.ts'
import { closedContentOf, openContentOf } from '../../../src/base/protocols/ap2/issue/terms.ts'
import { digestOf, toBase64url } from '../../../src/base/protocols/ap2/jose/digest.ts'
import {
  checkSignature,
  importKey,
  publicJwkOf,
  type Signer,
  signerOf,
} from '../../../src/base/protocols/ap2/jose/keys.ts'
import { refusalOf } from '../../../src/base/protocols/ap2/judge/checks.ts'
import { type Expected, evaluate } from '../../../src/base/protocols/ap2/judge/evaluate.ts'
import {
  type Presentation,
  readPresentation,
} from '../../../src/base/protocols/ap2/read/presentation.ts'
import { Ap2Refusal } from '../../../src/base/protocols/ap2/refusal.ts'
import type { JsonObject, JsonValue } from '../../../src/base/protocols/json.ts'

export const at = new Date('2026-03-01T10:00:00Z')
const later = new Date('2026-03-01T11:00:00Z')
const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
export const [service, user, agent, stranger] = [newKey(), newKey(), newKey(), newKey()]
export const merchant = { id: 'pl_7f3k', name: 'Shop', website: 'https://pay.example/pl_7f3k' }
const card = { id: 'card_123', type: 'card' }

export const openContent = openContentOf({
  id: 'om_1',
  agentKey: publicJwkOf(agent),
  issuedAt: at,
  expiresAt: later,
  amountRange: { currency: 'USD', max: 5000n },
  payees: [merchant, { id: 'other', name: 'Other' }],
  instruments: [card],
})
export const closedContent = closedContentOf({
  id: 'jti-1',
  transactionId: 'tx',
  payee: merchant,
  amount: { amount: 2500n, currency: 'USD' },
  instrument: card,
  issuedAt: at,
  expiresAt: later,
})
export const expected: Expected = {
  audiences: ['https://pay.example'],
  payeeIds: ['pl_7f3k'],
  prices: [{ currency: 'USD', min: 2500n, max: 2500n }],
  checkout: 'unknown',
  requiresCheckout: false,
  references: [],
}
export const closing = (openMandate: string, sign = signerOf(agent)) => ({
  openMandate,
  audience: 'https://pay.example',
  nonce: 'n-1',
  issuedAt: at,
  sign,
})
export const openOf = (content: JsonObject = openContent): Promise<string> =>
  makeOpenMandate(content, { kid: 'svc', sign: signerOf(service) })
export const directOf = (content: JsonObject = closedContent): Promise<string> =>
  makeDirectMandate(content, { kid: 'user', sign: signerOf(user) })
export const chainOf = async (
  open: JsonObject = openContent,
  closed = closedContent,
): Promise<string> => {
  const openMandate = await openOf(open)
  return joinChain(openMandate, await makeTerminalMandate(closed, closing(openMandate)))
}

/** Checks every signature; the root's with the given key. */
export function checkSignatures({ signatures }: Presentation, rootKey: KeyObject): void {
  for (const check of signatures)
    if (!checkSignature(check, check.key === 'root' ? rootKey : importKey(check.key)))
      throw new Ap2Refusal('mandate_invalid_signature', 'A signature is not of its key')
}

/** `ok`, or the code of the refusal. Roots with the kid `svc` are the service's, all others the user's. */
export function verdict(
  closedMandate: string,
  openMandate?: string,
  over: Partial<Expected> = {},
): string {
  try {
    const presentation = readPresentation({ closedMandate, ...(openMandate && { openMandate }) })
    checkSignatures(presentation, presentation.rootKid === 'svc' ? service : user)
    const refusal = refusalOf(evaluate(presentation, { ...expected, ...over }, at))
    if (refusal) throw refusal
    return 'ok'
  } catch (error) {
    if (error instanceof Ap2Refusal) return error.code
    throw error
  }
}

/** A token with any header, payload and disclosures, as a hostile issuer would make it. */
export async function forge(
  header: JsonObject | string,
  payload: JsonObject | string,
  disclosures: readonly string[],
  sign: Signer = signerOf(user),
): Promise<string> {
  const encode = (part: JsonObject | string): string =>
    toBase64url(typeof part === 'string' ? part : JSON.stringify(part))
  const input = `${encode(header)}.${encode(payload)}`
  const jwt = `${input}.${Buffer.from(await sign(input)).toString('base64url')}`
  return [jwt, ...disclosures, ''].join('~')
}
export const ROOT: JsonObject = { alg: 'ES256', typ: 'dc+sd-jwt', kid: 'user' }
export const disclosureOf = (value: JsonValue | string): string =>
  toBase64url(typeof value === 'string' ? value : JSON.stringify(['salt', value]))
export const referTo = (...disclosures: string[]): JsonObject => ({
  delegate_payload: disclosures.map((one) => ({ '...': digestOf(one) })),
})
export const direct = async (
  content: JsonValue | string,
  header: JsonObject | string = ROOT,
  more: JsonObject = {},
): Promise<string> => {
  const disclosure = disclosureOf(content)
  return forge(header, { ...referTo(disclosure), ...more }, [disclosure])
}

export const ref = (disclosure: string): JsonObject => ({ '...': digestOf(disclosure) })
