import { type Answer, ask, membersOf } from './ask.ts'
import { signTransfer } from './sign-transfer.ts'
import type { Provider } from './wallets.ts'

/** An x402 v2 offer, scheme `exact` by EIP-3009. It is sent back unchanged. */
export type Offer = {
  scheme: string
  network: string
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: { name: string; version: string }
}
type Demand = { resource: unknown; accepts: Offer[] }

/** A signed payment: it can be sent any number of times and moves the money at most once. */
export type SignedPayment = {
  url: string
  header: string
  /** When it ends by the clock of this browser, right or wrong, in milliseconds. */
  endsAtMs: number
}

/** Throws a sentence for the person. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

const fromBase64 = (text: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)))
const toBase64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))

function readDemand(header: string): Demand {
  try {
    return JSON.parse(fromBase64(header)) as Demand
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof DOMException)) throw error
    throw new Refused('An answer came that is not the service’s. Nothing was paid.')
  }
}

/** The terms that the page shows: `value` in base units of the `token`, on the chain. */
export type Shown = { url: string; chainId: number; token: string; value: string }

/**
 * Fetches the link's offer, and refuses one that differs from what the page shows. `now` is the service's time in Unix
 * seconds: a browser's clock may be wrong.
 */
export async function askOffer({
  url,
  chainId,
  token,
  value,
}: Shown): Promise<{ demand: Demand; offer: Offer; now: number }> {
  const answer = await ask(url, { accept: 'application/json' })
  if (!answer)
    throw new Refused('The service cannot be reached. Check the connection and try again.')
  const header = answer.headers.get('payment-required')
  if (answer.status !== 402 || !header) throw new Refused(sentenceOf(answer))
  const demand = readDemand(header)
  const offer = demand.accepts.find(
    ({ scheme, network }) => scheme === 'exact' && network === `eip155:${chainId}`,
  )
  if (!offer) throw new Refused('The seller makes no offer on this network.')
  if (offer.amount !== value || offer.asset.toLowerCase() !== token.toLowerCase())
    throw new Refused(
      'The seller asks for something else than this page shows. Load the page again. Nothing was paid.',
    )
  const sent = Date.parse(answer.headers.get('date') ?? '')
  return { demand, offer, now: Math.floor((Number.isNaN(sent) ? Date.now() : sent) / 1000) }
}

/** Makes the wallet sign the transfer that the offer asks for. */
export async function signPayment(
  provider: Provider,
  from: string,
  asked: { url: string; chainId: number } & Awaited<ReturnType<typeof askOffer>>,
): Promise<SignedPayment> {
  const { offer, demand, now } = asked
  const { authorization, signature } = await signTransfer(provider, {
    ...{ from, to: offer.payTo, value: offer.amount, now, seconds: offer.maxTimeoutSeconds },
    domain: { ...offer.extra, chainId: asked.chainId, verifyingContract: offer.asset },
  })
  if (signature === undefined)
    throw new Refused(
      'The wallet gave no signature. If its account needs several owners, pay from it by a transfer instead. Nothing was paid.',
    )
  const payload = {
    x402Version: 2,
    resource: demand.resource,
    accepted: offer,
    payload: { signature, authorization },
  }
  const endsAtMs = Date.now() + offer.maxTimeoutSeconds * 1000
  return { url: asked.url, header: toBase64(JSON.stringify(payload)), endsAtMs }
}

export type Sent =
  | { kind: 'settled'; settlementId: string }
  | { kind: 'refused'; message: string }
  /** Not known yet: send the same payment again, never a new one. */
  | { kind: 'again'; afterMs: number }

const AGAIN_MS = 3000

/** Sends the signed payment to the link, once. */
export async function sendPayment({ url, header }: SignedPayment): Promise<Sent> {
  const answer = await ask(url, { accept: 'application/json', 'payment-signature': header })
  const again = { kind: 'again', afterMs: AGAIN_MS } as const
  if (!answer) return again
  if (answer.status < 400) {
    const { settlement_id: settlementId } = membersOf(answer.text)
    // An answer without the id is not the service's, so it says nothing of the payment.
    return typeof settlementId === 'string' ? { kind: 'settled', settlementId } : again
  }
  if (answer.status >= 500 || answer.status === 429) {
    const seconds = Number(answer.headers.get('retry-after'))
    return seconds > 0 ? { kind: 'again', afterMs: seconds * 1000 } : again
  }
  return { kind: 'refused', message: sentenceOf(answer) }
}

/** The service's sentence for a refusal. */
function sentenceOf({ status, text }: Answer): string {
  // Such a sentence is for programs.
  if (status >= 500)
    return 'The service cannot take payments now. Nothing was paid; try again in a moment.'
  const { detail, error } = membersOf(text)
  const sentence = [detail, error].find((one) => typeof one === 'string' && one !== '')
  return typeof sentence === 'string' ? sentence : `The service answered ${status}.`
}
