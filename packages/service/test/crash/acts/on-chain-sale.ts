import { createPublicClient, type Hex, http, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { randomHex } from '../../../src/base/kernel/secrets.ts'
import {
  approvalTypedData,
  fulfilData,
  type SignedListing,
} from '../../../src/base/protocols/evm/credential-market.ts'
import { pause, until } from '../../until.ts'
import { insist, type Reply, type Request } from '../client.ts'
import { CHAIN_ID } from '../stage.ts'
import { claim, type Move, note, post, toUsd, untilSo } from './moves.ts'

const AGAIN_MS = 250
/** In dollars. */
export const PRICE = 1
/** A card must earn before it gets its identity token; in base units. */
const EARNED = 100_000n

/** Asks until the answer is not "not yet"; undefined if the move is over before there is one. */
async function answered(
  { world, isOver }: Move,
  { key }: { key: string },
  request: Request,
  notYet: readonly string[] = [],
): Promise<Reply | undefined> {
  for (;;) {
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': randomHex(12) }
    const outcome = await insist(world.stage.baseUrl, { ...request, headers }, isOver)
    if (!outcome || outcome.reply.status < 300) return outcome?.reply
    if (!notYet.includes(outcome.reply.body?.code)) return outcome.reply
    await pause(AGAIN_MS)
  }
}

/** The same answer's body; undefined if it is a refusal, or never comes. */
async function asked(...of: Parameters<typeof answered>): Promise<any | undefined> {
  const reply = await answered(...of)
  return reply && reply.status < 300 ? reply.body : undefined
}

/** Puts a card of the player up for sale on chain: paid, minted, withdrawn to its wallet, signed and listed. */
export async function offerOnChain(move: Move): Promise<{ id: string; listingId: string }> {
  const { player, other } = move
  const { wallet } = player
  const must = async (request: Request, notYet?: readonly string[]) => {
    const reply = await answered(move, player, request, notYet)
    if (reply && reply.status < 300) return reply.body
    const answer = reply ? `${reply.status} ${JSON.stringify(reply.body)}` : 'no answer in time'
    throw new Error(`${request.method} ${request.path}: ${answer}`)
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
  await untilSo(move, async () => (await withdrawn(move, card.id)).length === 1)
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

/** Sends the purchase, and waits until the sale is over. Returns the listing's status. */
export async function bought(move: Move, listingId: string): Promise<string> {
  await asked(move, move.other, await purchaseOf(move, listingId), ['funds_in_flight'])
  return endOf(move, listingId, ['SETTLING'])
}

async function endOf(move: Move, listingId: string, open: readonly string[]): Promise<string> {
  const path = `/api/listings/${listingId}`
  for (;;) {
    const body = await asked(move, move.other, { method: 'GET', path })
    if (!open.includes(body?.listing.status)) return body?.listing.status
    await pause(AGAIN_MS)
  }
}

/**
 * A sale past the service, with an approval of its key, ready to be sent: it leaves what a restored backup finds that does not
 * know the sale.
 */
export async function saleAside(move: Move, listingId: string): Promise<() => Promise<void>> {
  const { world, other } = move
  const { body } = await purchaseOf(move, listingId)
  const { hash, market, sellerSignature, ...listing } = await signedTerms(world, listingId)
  const { valid_before, signature } = (body as { authorization: any }).authorization
  const validBefore = BigInt(valid_before)
  const buyer = other.wallet.address
  const operator = privateKeyToAccount(world.stage.env.PURSER_OPERATOR_KEY as Hex)
  const approval = await operator.signTypedData(
    approvalTypedData({ market, chainId: CHAIN_ID }, { listingHash: hash, buyer, validBefore }),
  )
  const payment = { buyer, validAfter: 0n, validBefore, signature }
  const data = fulfilData({ listing, sellerSignature }, payment, approval)
  return async () => {
    await other.wallet.send(market, data)
    await allSafe(world.stage.rpcUrl)
  }
}

async function allSafe(rpcUrl: string): Promise<void> {
  const rpc = createPublicClient({ transport: http(rpcUrl) })
  const { number } = await rpc.getBlock({ blockTag: 'latest' })
  await until(
    async () => (await rpc.getBlock({ blockTag: 'safe' })).number,
    (safe) => safe >= number,
    { everyMs: AGAIN_MS },
  )
}

/** The terms that the seller signed. The driver answers large numbers as text. */
async function signedTerms({ stage }: Move['world'], listingId: string): Promise<SignedRow> {
  const [row] = await stage.query<SignedRow>(
    `select hash, market, registry, token_id as "tokenId", seller, operator, price, fee_bps as "feeBps",
      fee_receiver as "feeReceiver", expiry, nonce, holder, holder_state as "holderState",
      min_holder_usdc as "minHolderUsdc", seller_signature as "sellerSignature" from onchain_terms where listing_id = $1`,
    [listingId],
  )
  if (!row) throw new Error(`${listingId} has no terms`)
  return {
    ...row,
    buyer: zeroAddress,
    tokenId: BigInt(row.tokenId),
    price: BigInt(row.price),
    expiry: BigInt(row.expiry),
    nonce: BigInt(row.nonce),
    holderState: BigInt(row.holderState),
    minHolderUsdc: BigInt(row.minHolderUsdc),
  }
}

type SignedRow = SignedListing & { hash: Hex; market: Hex; sellerSignature: Hex }

/** A wallet has ten mints and ten moves a day, so these acts are for the walk alone. */
export const ON_CHAIN_SALE = {
  async sellOnChain(move: Move) {
    const { listingId } = await offerOnChain(move)
    const status = await bought(move, listingId)
    if (status === 'SOLD') note(move.world, { act: 'sellOnChain', ref: listingId, value: 0n })
    else move.world.unanswered.push(`sale of ${listingId}: ${status}`)
  },
}
