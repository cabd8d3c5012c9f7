/** A seller with a link, a payer with a card and a user key on it, an agent with a key, and their mandates. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import {
  makeDirectMandate,
  makeOpenMandate,
  makeTerminalMandate,
} from '../../../src/base/protocols/ap2/issue/issue.ts'
import {
  type ClosedTerms,
  closedContentOf,
  type OpenTerms,
  openContentOf,
} from '../../../src/base/protocols/ap2/issue/terms.ts'
import { publicJwkOf, signerOf, thumbprintOf } from '../../../src/base/protocols/ap2/jose/keys.ts'
import type { JsonObject } from '../../../src/base/protocols/json.ts'
import { insertCardKey, type KeyRole } from '../../../src/rails/ap2/keys/store.ts'
import type { Reply, User, World } from '../../world.ts'

export const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
export const kidOf = (key: KeyObject): string => thumbprintOf(publicJwkOf(key))
export const secondsFrom = (at: Date, seconds: number): Date =>
  new Date(at.getTime() + seconds * 1000)

let count = 0
const fresh = (prefix: string): string => `${prefix}-${++count}`

export type Card = { id: string; token: string }
type Link = Record<string, any>

export async function addKey(w: World, cardId: string, key: KeyObject, role: KeyRole) {
  const jwk = publicJwkOf(key)
  await w.write((tx) =>
    insertCardKey(tx, {
      cardId,
      kid: thumbprintOf(jwk),
      role,
      jwk,
      label: '',
      sealed: null,
      createdAt: w.now(),
    }),
  )
}

export type Shop = Awaited<ReturnType<typeof openShop>>
export async function openShop(
  w: World,
  options: { amount?: number | string | null; limit?: number; link?: object } = {},
) {
  const [seller, payer] = [await w.user({ treasury: 10 }), await w.user({ treasury: 1000 })]
  const issue = async (user: User, body: object): Promise<Card> =>
    (await user.post('/api/issue', body)).body.card
  const sellerCard = await issue(seller, { purpose: 'shop', limit_amount: 1 })
  const card = await issue(payer, { purpose: 'agent', limit_amount: options.limit ?? 100 })
  const open = async (body: object = {}): Promise<Link> => {
    const made = await seller.post('/api/paylinks', {
      card_id: sellerCard.id,
      amount: options.amount === undefined ? 25 : options.amount,
      memo: 'tea',
      ...options.link,
      ...body,
    })
    return (await w.call('GET', `/api/paylinks/${made.body.code}`)).body
  }
  const userKey = newKey()
  await addKey(w, card.id, userKey, 'user')
  return {
    seller,
    payer,
    sellerCard,
    card,
    userKey,
    userKid: kidOf(userKey),
    agentKey: newKey(),
    link: await open(),
    openLink: open,
  }
}

/** The terms of a mandate that pays the link from the card. */
export const termsFor = (w: World, link: Link, card: { id: string }): ClosedTerms => ({
  id: fresh('jti'),
  transactionId: link.ap2.transaction_id,
  payee: link.ap2.payee,
  amount: {
    amount: BigInt(link.ap2.payment_amount.amount ?? 2500),
    currency: link.ap2.payment_amount.currency,
  },
  instrument: { id: card.id, type: 'card' },
  issuedAt: w.now(),
  expiresAt: secondsFrom(w.now(), 300),
})

/** A closed mandate signed by the user's key, without an open mandate. */
export const directMandate = (
  content: JsonObject | ClosedTerms,
  key: KeyObject,
  kid: string = kidOf(key),
): Promise<string> =>
  makeDirectMandate('vct' in content ? content : closedContentOf(content as ClosedTerms), {
    kid,
    sign: signerOf(key),
  })

/** A user's open mandate: up to 50.00 to this link's payee from this card, for a day. */
export function openTerms(
  w: World,
  { shop, link = shop.link, ...over }: { shop: Shop; link?: Link } & Partial<OpenTerms>,
): JsonObject {
  return openContentOf({
    id: fresh('om'),
    agentKey: publicJwkOf(shop.agentKey),
    issuedAt: w.now(),
    expiresAt: secondsFrom(w.now(), 86_400),
    amountRange: { currency: 'USD', max: 5_000n },
    payees: [link.ap2.payee],
    instruments: [{ id: shop.card.id, type: 'card' }],
    ...over,
  })
}
export const signOpen = (content: JsonObject, key: KeyObject): Promise<string> =>
  makeOpenMandate(content, { kid: kidOf(key), sign: signerOf(key) })

/** A mandate that the agent closes under the open mandate. */
export const closeUnder = (
  w: World,
  openMandate: string,
  of: { terms: ClosedTerms; key: KeyObject; audience?: string },
): Promise<string> =>
  makeTerminalMandate(closedContentOf(of.terms), {
    openMandate,
    audience: of.audience ?? w.services.settings.publicUrl,
    nonce: fresh('nonce'),
    issuedAt: w.now(),
    sign: signerOf(of.key),
  })

export type Settle = {
  pay_link_code: string
  closed_mandate: string
  open_mandate?: string
  card_token: string
}
export const settleBody = (shop: Shop, closed: string, over: Partial<Settle> = {}): Settle => ({
  pay_link_code: shop.link.code,
  closed_mandate: closed,
  card_token: shop.card.token,
  ...over,
})
export const settleWith = (
  user: User,
  body: object,
  headers?: Record<string, string>,
): Promise<Reply> => user.post('/api/ap2/settle', body, headers && { headers })

export const balanceOf = async (user: User, id: string): Promise<number> =>
  (await user.get(`/api/cards/${id}`)).body.card.balance
