/** A seller with a card for sale, and buyers. */
import type { Card, Reply, User, World } from '../world.ts'

export const PRICE = 20

export type Offer = { seller: User; card: Card; listing: any }

/** Lists a new card with `limit` USDC on it. */
export async function offerCard(
  w: World,
  {
    seller,
    price = PRICE,
    limit = 50,
    ...order
  }: { seller?: User; price?: number; limit?: number } & Record<string, unknown> = {},
): Promise<Offer> {
  const owner = seller ?? (await w.user())
  const card = await owner.card({ limit, ...order })
  return { seller: owner, card, listing: await listed(owner, card, price) }
}

export async function listed(owner: User, card: { id: string }, price = PRICE): Promise<any> {
  const made = await owner.post('/api/listings', { card_id: card.id, price })
  if (made.status !== 200) throw new Error(made.text)
  return made.body.listing
}

export const buy = (buyer: User, listing: { id: string }, body: object = {}): Promise<Reply> =>
  buyer.post(`/api/listings/${listing.id}/buy`, body)

/** Buys, and answers the listing and the card with its token. */
export async function bought(buyer: User, listing: { id: string }, body: object = {}) {
  const reply = await buy(buyer, listing, body)
  if (reply.status !== 200) throw new Error(reply.text)
  return reply.body as { listing: any; card: any }
}

export const balanceOf = async (user: User): Promise<number> =>
  (await user.get('/api/balance')).body.balances[0].available

export const linkOf = async (owner: User, card: { id: string }, body: object = {}) => {
  const made = await owner.post('/api/paylinks', {
    card_id: card.id,
    amount: 1,
    max_uses: 0,
    ...body,
  })
  if (made.status !== 200) throw new Error(made.text)
  return made.body
}

/** Pays a link with a card. */
export const payLink = (w: World, code: string, card: Card, body: object = {}): Promise<Reply> =>
  w.call('POST', `/api/pay/${code}/settle`, {
    payer_card_id: card.id,
    payer_card_token: card.token,
    ...body,
  })
