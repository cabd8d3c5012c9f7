/** A seller with links, payers with cards and keys, and the mandates that the payers sign, for the settle benchmarks. */
import { randomInt } from 'node:crypto'
import {
  closeMandate,
  createAgentKey,
  type LinkTerms,
  type MandateKey,
} from '../../packages/sdk/src/purser.ts'
import type { BenchService } from './service.ts'

export type Payer = { id: string; token: string; key: MandateKey }
export type BenchLink = { code: string; terms: LinkTerms }
export type Shop = { payers: Payer[]; links: BenchLink[] }

const AT_ONCE = 32
const NETWORK = 'eip155:84532'

/** Runs `make` for each index, some at a time. */
async function many<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = Math.min(AT_ONCE, count - from)
    made.push(...(await Promise.all(Array.from({ length: some }, (_, i) => make(from + i)))))
  }
  return made
}

type Card = { id: string; token: string }

/** Opens `payers` cards with a user key each, and `links` links of a hundredth of a cent that take any number of payments. */
export async function openShop(
  service: Pick<BenchService, 'ask'>,
  size: { payers: number; links: number; cardLimit: number },
): Promise<Shop> {
  const issue = async (purpose: string, limit: number): Promise<Card> => {
    const body = { purpose, limit_amount: limit, network: NETWORK }
    return (await service.ask<{ card: Card }>('POST', '/api/issue', body)).card
  }
  const sellers = await many(Math.min(size.links, 50), (i) => issue(`seller ${i}`, 0.01))
  const links = await many(size.links, async (i) => {
    const seller = sellers[i % sellers.length] as Card
    const { code } = await service.ask<{ code: string }>('POST', '/api/paylinks', {
      card_id: seller.id,
      amount: '0.0001',
      type: 'RECURRING',
      max_uses: 0,
      accepted_protocols: ['ap2', 'card'],
    })
    const { ap2 } = await service.ask<{ ap2: LinkTerms }>('GET', `/api/pay/${code}/prepare`)
    return { code, terms: ap2 }
  })
  const payers = await many(size.payers, async (i) => {
    const card = await issue(`payer ${i}`, size.cardLimit)
    const key = await createAgentKey()
    await service.ask('POST', '/api/ap2/keys', {
      card_id: card.id,
      card_token: card.token,
      jwk: key.publicJwk,
      role: 'user',
    })
    return { ...card, key }
  })
  return { payers, links }
}

/** `count` settle requests, each with its own mandate signed by its payer's key; `replays` percent are sent twice. */
export async function settleRequests(
  { payers, links }: Shop,
  count: number,
  replays: number,
): Promise<string[]> {
  const requests: string[] = []
  for (let i = 0; i < count; i++) {
    const before = requests[requests.length - 1 - randomInt(500)]
    if (before && randomInt(100) < replays) {
      requests.push(before)
      continue
    }
    const payer = payers[randomInt(payers.length)] as Payer
    const link = links[randomInt(links.length)] as BenchLink
    const { closedMandate } = await closeMandate({
      link: link.terms,
      cardId: payer.id,
      key: payer.key,
      expiresInSeconds: 86_400,
    })
    const body = {
      pay_link_code: link.code,
      closed_mandate: closedMandate,
      card_token: payer.token,
    }
    requests.push(`POST /api/ap2/settle ${JSON.stringify(body)}`)
  }
  return requests
}

/** The same payments by card and token, without a mandate. */
export const cardRequests = ({ payers, links }: Shop, count: number): string[] =>
  Array.from({ length: count }, () => {
    const payer = payers[randomInt(payers.length)] as Payer
    const link = links[randomInt(links.length)] as BenchLink
    const body = { protocol: 'card', payer_card_id: payer.id, payer_card_token: payer.token }
    return `POST /api/pay/${link.code}/settle ${JSON.stringify(body)}`
  })
