import type { Address } from 'viem'
import { freshAccount, testChain } from '../packages/service/test/world/chain.ts'
import {
  type Approval,
  approve,
  hashListing,
  type Listing,
  list,
  newMarket,
  newRegistry,
  OPERATOR,
  type Payment,
  PRICE,
  pay,
  signListing,
} from './listings.ts'
import { newSigner, newToken, type Signer } from './token.ts'

export type Sale = { listing: Listing; seller: Signer; buyer: Signer }
export type Change = {
  payment?: Partial<Payment>
  signed?: Listing
  receiver?: Address
  approval?: Partial<Approval>
  operator?: Signer
}
export type Sales = Awaited<ReturnType<typeof openSales>>

/** Relays every sale; it takes part in none. */
const relayer = newSigner().address

/** A market, a registry and a token of their own, and the steps of a sale there. */
export async function openSales() {
  const admin = (await freshAccount()).address
  const usdc = await newToken(testChain(), admin)
  await usdc.send({ from: admin, functionName: 'configureMinter', args: [admin, 2n ** 128n] })
  const [market, registry] = [await newMarket(usdc), await newRegistry()]

  const mint = (to: Address, value: bigint) =>
    usdc.send({ from: admin, functionName: 'mint', args: [to, value] })
  const offer = (terms: Partial<Listing> = {}) => list({ market, registry, admin }, terms)

  async function newBuyer(value = PRICE): Promise<Signer> {
    const buyer = newSigner()
    await mint(buyer.address, value)
    return buyer
  }

  async function newSale(terms: Partial<Listing> = {}): Promise<Sale> {
    const offered = await offer(terms)
    return { ...offered, buyer: await newBuyer(terms.price) }
  }

  /** The arguments of `fulfil`, with what the tests change in them. */
  async function saleArgs({ listing, seller, buyer }: Sale, change: Change = {}) {
    const signed = change.signed ?? listing
    const sellerSignature = await signListing(market.address, signed, seller.privateKey)
    const { payment, signature } = await pay({ usdc, market }, listing, buyer, change.payment)
    const { validAfter, validBefore } = payment
    const receiver = change.receiver ?? buyer.address
    const listingHash = hashListing(market.address, listing)
    const consent = { listingHash, buyer: receiver, validBefore, ...change.approval }
    const { privateKey } = change.operator ?? OPERATOR
    const approval = await approve(market.address, consent, privateKey)
    const payload = [receiver, validAfter, validBefore, signature, approval]
    return [listing, sellerSignature, ...payload] as unknown[]
  }

  const attempt = (args: unknown[], time?: bigint) =>
    market.attempt({
      from: relayer,
      functionName: 'fulfil',
      args,
      ...(time === undefined ? {} : { time }),
    })

  return {
    admin,
    usdc,
    market,
    registry,
    mint,
    offer,
    newBuyer,
    newSale,
    saleArgs,
    attempt,
    fulfil: (args: unknown[], from = relayer) =>
      market.send({ from, functionName: 'fulfil', args }),
    /** The answer to a sale that would be good without the change, as a second attempt shows. */
    async refusal(sale: Sale, change: Change): Promise<string> {
      const answer = await attempt(await saleArgs(sale, change))
      const unchanged = await attempt(await saleArgs(sale))
      if (unchanged !== 'done') throw new Error(`The sale itself is refused: ${unchanged}`)
      return answer
    },
    balanceOf: (account: Address) => usdc.read('balanceOf', account) as Promise<bigint>,
    ownerOf: (listing: Listing) => registry.read('ownerOf', listing.tokenId),
    stateOf: (listing: Listing) => market.read('stateOf', hashListing(market.address, listing)),
  }
}
