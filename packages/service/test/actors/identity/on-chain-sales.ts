import { type Abi, decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import market from '../../../../../contracts/build/CredentialMarket.json' with { type: 'json' }
import {
  approvalTypedData,
  credentialMarketAbi,
  fulfilData,
  hashListing,
  listingTypedData,
  receiveTypedData,
} from '../../../src/base/protocols/evm/credential-market.ts'
import type { IdentityRow } from '../../../src/business/identity/store.ts'
import { carrySale } from '../../../src/business/market/on-chain/sale/carry.ts'
import { findPayment, findTerms } from '../../../src/business/market/on-chain/store.ts'
import { listingOf } from '../../../src/business/market/on-chain/terms.ts'
import { simulateSend } from '../../../src/chain/client/simulate.ts'
import { findSend } from '../../../src/chain/relay/send.ts'
import { fundGas } from '../../../src/run/embedded/dev/chain.ts'
import { freshAccount } from '../../world/chain.ts'
import type { User, World } from '../../world.ts'
import { sendBy } from '../token-kit.ts'
import { type CardId, carried, mintedCard } from './identities.ts'

export type OnChainListing = { seller: User; id: CardId; row: IdentityRow; listingId: string }

/** A card whose identity token is in its owner's wallet. */
export async function withdrawnCard(
  w: World,
  as: { account?: PrivateKeyAccount } = {},
): Promise<Omit<OnChainListing, 'listingId'>> {
  return withdrawn(w, await mintedCard(w, as))
}

/** Sends the token of a card to its owner's wallet. */
export async function withdrawn(
  w: World,
  { seller, id }: { seller: User; id: CardId },
): Promise<Omit<OnChainListing, 'listingId'>> {
  const asked = await seller.post(`/api/cards/${id}/identity/withdraw`)
  if (asked.status >= 300) throw new Error(asked.text)
  const row = await carried(w, id)
  if (row.state !== 'FINAL' || row.custody !== 'WITHDRAWN')
    throw new Error(`the identity is ${row.state}, ${row.custody}`)
  return { seller, id, row }
}

/** Signs typed data as it came over the wire. */
export const signWire = (account: PrivateKeyAccount, typedData: unknown): Promise<Hex> =>
  account.signTypedData(typedData as never)

/** Signs the prepared terms of a listing, with the approval of the market sent. */
export async function prepared(w: World, { seller, id }: { seller: User; id: CardId }, price = 25) {
  const { status, body, text } = await seller.post('/api/listings/prepare', { card_id: id, price })
  if (status !== 200) throw new Error(text)
  await fundGas({ rpcUrl: w.rpcUrl, address: seller.account.address, wei: 10n ** 18n })
  for (const { to, data } of body.transactions) await sendBy(seller.account, to, data, w.rpcUrl)
  return signWire(seller.account, body.typed_data)
}

/** A card that is for sale on chain. */
export const listedOnChain = async (w: World, price = 25): Promise<OnChainListing> =>
  listed(w, await withdrawnCard(w), price)

/** Puts a withdrawn card up for sale on chain. */
export async function listed(
  w: World,
  card: Omit<OnChainListing, 'listingId'>,
  price = 25,
): Promise<OnChainListing> {
  const signature = await prepared(w, card, price)
  const made = await card.seller.post('/api/listings', {
    card_id: card.id,
    price,
    mode: 'onchain',
    seller_signature: signature,
  })
  if (made.status !== 200) throw new Error(made.text)
  return { ...card, listingId: made.body.listing.id }
}

/** Makes the listing worthless in the contract, as its seller may. */
export async function cancelledOnChain(w: World, { seller, listingId }: OnChainListing) {
  const terms = await findTerms(w.db.reader, listingId)
  if (!terms) throw new Error('nothing is listed')
  const args = [listingOf(terms)]
  const data = encodeFunctionData({ abi: market.abi as Abi, functionName: 'cancel', args })
  await sendBy(seller.account, terms.market, data, w.rpcUrl)
}

/** A wallet with money on chain, and a key here. */
export const newBuyer = (w: World, usdc = 100): Promise<User> => w.user({ usdc })

/** The buyer's signed payment of the listing, changed if asked. */
export async function paymentOf(
  buyer: User,
  listingId: string,
  change: Record<string, unknown> = {},
) {
  const { status, body, text } = await buyer.get(`/api/listings/${listingId}/buy/prepare`)
  if (status !== 200) throw new Error(text)
  const data = body.typed_data
  const message = { ...data.message, ...change }
  const signature = await signWire(buyer.account, { ...data, message })
  const { from, to, value, validAfter, validBefore, nonce } = message
  return {
    from,
    to,
    value,
    valid_after: validAfter,
    valid_before: validBefore,
    nonce,
    signature,
  }
}

export const buy = async (buyer: User, listingId: string, change: Record<string, unknown> = {}) =>
  buyer.post(`/api/listings/${listingId}/buy`, {
    authorization: await paymentOf(buyer, listingId, change),
  })

/** Carries the sale to its end. */
export async function ended(w: World, listingId: string): Promise<void> {
  for (let round = 0; round < 30; round++) {
    if (await carrySale(w.services, w.now(), listingId)) return
    await w.safe()
  }
  throw new Error(`the sale of ${listingId} does not end`)
}

/**
 * The contract's answer to a stranger who buys there, with money and with all that a sale on the chain has shown: the terms,
 * the seller's signature, and an approval of another buyer. Undefined would be a sale.
 */
export async function boughtAside(w: World, listingId: string): Promise<string | undefined> {
  const terms = await findTerms(w.db.reader, listingId)
  if (!terms?.sellerSignature) throw new Error('nothing is listed')
  const shown = await findPayment(w.db.reader, listingId)
  const stranger = await freshAccount({ rpcUrl: w.rpcUrl, usdc: terms.price })
  const { market: to, price: value, hash: nonce } = terms
  const validBefore = 2n ** 40n
  const payment = { from: stranger.address, to, value, validAfter: 0n, validBefore, nonce }
  const signature = await stranger.signTypedData(receiveTypedData(w.chain.asset, payment))
  const paid = { buyer: stranger.address, validAfter: 0n, validBefore, signature }
  const signed = { listing: listingOf(terms), sellerSignature: terms.sellerSignature }
  const sent = shown && (await findSend(w.services, shown.sendRef))
  const approval = sent ? approvalIn(`0x${sent.data.toString('hex')}`) : '0x'
  return simulateSend(w.chain, { to, data: fulfilData(signed, paid, approval) })
}

const approvalIn = (data: Hex): Hex =>
  decodeFunctionData({ abi: credentialMarketAbi, data }).args?.at(-1) as Hex

/** Relays the accepted sale as anybody could who saw it, before our relayer does. */
export async function relayedByStranger(w: World, listingId: string): Promise<Hex> {
  const [terms, payment] = await Promise.all([
    findTerms(w.db.reader, listingId),
    findPayment(w.db.reader, listingId),
  ])
  if (!terms || !payment) throw new Error('nothing was accepted')
  const stranger = await freshAccount({ rpcUrl: w.rpcUrl })
  const send = await findSend(w.services, payment.sendRef)
  if (!send) throw new Error('nothing was queued')
  return sendBy(stranger, terms.market, `0x${send.data.toString('hex')}`, w.rpcUrl)
}

/** Sells the token in the contract with the approval of another operator, as its owner may without the service. */
export async function soldAside(
  w: World,
  { seller, listingId }: OnChainListing,
  { buyer, operator }: { buyer: User; operator: PrivateKeyAccount },
): Promise<void> {
  const terms = await findTerms(w.db.reader, listingId)
  if (!terms) throw new Error('nothing is listed')
  const { market, price } = terms
  const place = { market, chainId: w.chain.chainId }
  const listing = { ...listingOf(terms), operator: operator.address }
  const hash = hashListing(place, listing)
  const sellerSignature = await seller.account.signTypedData(listingTypedData(place, listing))
  const validBefore = 2n ** 40n
  const paid = { from: buyer.account.address, to: market, value: price, nonce: hash }
  const signature = await buyer.account.signTypedData(
    receiveTypedData(w.chain.asset, { ...paid, validAfter: 0n, validBefore }),
  )
  const payment = { buyer: buyer.account.address, validAfter: 0n, validBefore, signature }
  const approved = { listingHash: hash, buyer: payment.buyer, validBefore }
  const approval = await operator.signTypedData(approvalTypedData(place, approved))
  const data = fulfilData({ listing, sellerSignature }, payment, approval)
  await sendBy(seller.account, market, data, w.rpcUrl)
}
