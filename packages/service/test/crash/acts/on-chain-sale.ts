import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'
import { randomHex } from '../../../src/kernel/secrets.ts'
import { insist, type Request } from '../client.ts'
import { claim, type Move, note, post, toUsd, until } from './moves.ts'

const AGAIN_MS = 250
/** In dollars. */
export const PRICE = 1
/** A card must earn before it gets its identity token; in base units. */
const EARNED = 100_000n

/** Asks until the answer is not "not yet"; undefined if the answer is a refusal, or never comes. */
async function asked(
  { world, isOver }: Move,
  { key }: { key: string },
  request: Request,
  notYet: readonly string[] = [],
): Promise<any | undefined> {
  for (;;) {
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': randomHex(12) }
    const outcome = await insist(world.stage.baseUrl, { ...request, headers }, isOver)
    if (!outcome || outcome.reply.status < 300) return outcome?.reply.body
    if (!notYet.includes(outcome.reply.body?.code)) return undefined
    await sleep(AGAIN_MS)
  }
}

/** Puts a card of the player up for sale on chain: paid, minted, withdrawn to its wallet, signed and listed. */
export async function offerOnChain(move: Move): Promise<{ id: string; listingId: string }> {
  const { player, other } = move
  const { wallet } = player
  const must = async (request: Request, notYet?: readonly string[]) => {
    const body = await asked(move, player, request, notYet)
    if (!body) throw new Error(`${request.method} ${request.path} was refused`)
    return body
  }
  const { card } = await must(post('/api/issue', { purpose: 'till', limit_amount: PRICE }))
  const link = await must(post('/api/paylinks', { card_id: card.id, amount: toUsd(EARNED) }))
  const payer = { payer_card_id: other.card.id, payer_card_token: other.card.token }
  await claim(
    { ...move, player: other },
    { act: 'linkByCard', value: EARNED, request: post(`/api/pay/${link.code}/settle`, payer) },
  )
  const path = `/api/cards/${card.id}/identity`
  await must(post(path, {}), ['no_counted_payment'])
  await must(post(`${path}/withdraw`, {}), ['invalid_state', 'identity_moving'])
  const order = { card_id: card.id, price: PRICE }
  await until(move, async () => (await withdrawn(move, card.id)).length === 1)
  const prepared = await must(post('/api/listings/prepare', order))
  for (const { to, data } of prepared.transactions) await wallet.send(to, data)
  const seller_signature = await sign(wallet, prepared.typed_data)
  const body = { ...order, mode: 'onchain', seller_signature }
  const { listing } = await must(post('/api/listings', body))
  return { id: card.id, listingId: listing.id }
}

const withdrawn = ({ world }: Move, cardId: string): Promise<unknown[]> =>
  world.stage.query(
    `select from identities where card_id = $1 and state = 'FINAL' and custody = 'WITHDRAWN'`,
    [cardId],
  )

const sign = ({ account }: Move['player']['wallet'], typedData: unknown): Promise<Hex> =>
  account.signTypedData(typedData as never)

/** The other player's purchase of the listing, to be sent until it has an answer. */
export async function purchaseOf(move: Move, listingId: string): Promise<Request> {
  const { other } = move
  const path = `/api/listings/${listingId}/buy`
  const prepared = await asked(move, other, { method: 'GET', path: `${path}/prepare` })
  const { message } = prepared.typed_data
  const { from, to, value, validAfter, validBefore, nonce } = message
  const signature = await sign(other.wallet, prepared.typed_data)
  const times = { valid_after: validAfter, valid_before: validBefore }
  return post(path, { authorization: { from, to, value, ...times, nonce, signature } })
}

/** Sends the purchase, and waits until the sale is over. Answers the listing's status. */
export async function bought(move: Move, listingId: string): Promise<string> {
  const path = `/api/listings/${listingId}`
  await asked(move, move.other, await purchaseOf(move, listingId), ['funds_in_flight'])
  for (;;) {
    const body = await asked(move, move.other, { method: 'GET', path })
    if (body?.listing.status !== 'SETTLING') return body?.listing.status
    await sleep(AGAIN_MS)
  }
}

/** A wallet has ten mints and ten moves a day, so these acts are for the walk alone. */
export const ON_CHAIN_SALE = {
  async sellOnChain(move: Move) {
    const { listingId } = await offerOnChain(move)
    const status = await bought(move, listingId)
    if (status === 'SOLD') note(move.world, { act: 'sellOnChain', ref: listingId, value: 0n })
    else move.world.unanswered.push(`sale of ${listingId}: ${status}`)
  },
}
