import { Credential, Method, z } from 'mppx'
import { Mppx } from 'mppx/client'
import { assets, charge } from 'mppx/evm/client'
import type { PrivateKeyAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { JsonObject } from '../../src/base/protocols/json.ts'
import {
  type Challenge,
  readChallenges,
  writeChallenge,
} from '../../src/base/protocols/mpp/headers/challenge.ts'
import { decodeJson, encodeJson } from '../../src/base/protocols/mpp/headers/wire.ts'
import { freshAccount } from '../world/chain.ts'
import type { World } from '../world.ts'
import { cardOf, type Held, issue } from './attack-kit.ts'

/** A seller with a link, and an agent with a card, on a service that listens. */
export async function mppShop(w: World, link: object = {}) {
  await w.withGas()
  const base = await w.listen()
  const seller = await w.user({ treasury: 10 })
  const agent = await w.user({ treasury: 50 })
  const till = await issue(seller, 1)
  const card = await issue(agent, 20)
  const made = (
    await seller.post('/api/paylinks', { card_id: till.id, amount: 0.5, memo: 'report', ...link })
  ).body
  const received = async () => (await cardOf(seller, till.id)).received as number
  const payer = (usdc = 2_000_000n) => freshAccount({ usdc })
  return {
    ...{ base, seller, agent, till, card, link: made, received, payer },
    url: `${base}/pay/${made.code}`,
    cardNow: () => cardOf(agent, card.id),
  }
}
type Shop = Awaited<ReturnType<typeof mppShop>>

export const bodyOf = async (response: Response): Promise<any> => response.json()
/** The credential by which a card pays the link's challenge, not sent yet. */
export async function cardCredential(s: Shop, card = s.card, url = s.url): Promise<string> {
  const challenge = challengeIn(await fetch(url), 'agentcard')
  return (await askForToken(s.base, card, writeChallenge(challenge))).body.credential
}

/** The agentcard method as any client of mppx could write it. Our endpoint supplies what the method itself lacks. */
const agentcard = Method.from({
  name: 'agentcard',
  intent: 'charge',
  schema: {
    credential: { payload: z.object({ type: z.literal('cardToken'), token: z.string() }) },
    request: z.looseObject({ amount: z.string(), currency: z.string(), recipient: z.string() }),
  },
})

/** The official client with a wallet: pays by EIP-3009, once, and only by MPP. */
export const payByWallet = (account: PrivateKeyAccount, over = fetch): typeof fetch =>
  Mppx.create({
    fetch: over,
    methods: [charge({ account, currencies: [assets.baseSepolia.USDC] })],
    polyfill: false,
    maxPaymentRetries: 1,
    orderChallenges: (found) => found.filter(({ challenge }) => !('scheme' in challenge.request)),
  }).fetch as typeof fetch

/** The official client with a card of this service. */
export const payByCard = (base: string, card: Held, over = fetch): typeof fetch =>
  Mppx.create({
    fetch: over,
    methods: [
      Method.toClient(agentcard, {
        async createCredential({ challenge }) {
          const issued = await askForToken(base, card, challenge)
          expect(issued.status, JSON.stringify(issued.body)).toBe(200)
          return Credential.serialize({ challenge, payload: issued.body.payload })
        },
      }),
    ],
    polyfill: false,
    maxPaymentRetries: 1,
  }).fetch as typeof fetch

/** `POST /api/mpp/agentcard` for a challenge, as a header value or as an object. */
export async function askForToken(base: string, card: Held, challenge: unknown) {
  const answer = await fetch(`${base}/api/mpp/agentcard`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ card_id: card.id, card_token: card.token, challenge }),
  })
  return { status: answer.status, body: (await answer.json()) as any }
}

/** The official client's credential for a URL's challenge, not sent yet. */
export async function credentialOf(
  url: string,
  account: PrivateKeyAccount,
  init: RequestInit = {},
): Promise<string> {
  const { preparePayment } = Mppx.create({
    methods: [charge({ account, currencies: [assets.baseSepolia.USDC] })],
    polyfill: false,
  })
  const response = await fetch(url, { ...init, headers: { ...init.headers } })
  const payment = await preparePayment(response, {
    orderChallenges: (found) => found.filter(({ challenge }) => !('scheme' in challenge.request)),
  })
  return payment.createCredential()
}

/** The challenge of a method in a response, as this service's codec reads it. */
export function challengeIn(answer: Response, method: string): Challenge {
  const { challenges } = readChallenges(answer.headers.get('www-authenticate') ?? undefined)
  const found = challenges.find((challenge) => challenge.method === method)
  if (!found) throw new Error(`no challenge for ${method}`)
  return found
}

export const withCredential = (url: string, credential: string, init: RequestInit = {}) =>
  fetch(url, { ...init, headers: { ...init.headers, authorization: credential } })

/** The credential with one thing changed. */
export function altered(credential: string, change: (json: any) => void): string {
  const json = structuredClone(decodeJson(credential.slice('Payment '.length)))
  change(json)
  return `Payment ${encodeJson(json as JsonObject)}`
}
