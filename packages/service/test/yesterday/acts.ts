/** Everything by which money or a token leaves or reaches the service, each as its caller asks for it and repeats it. */
import { parseEventLogs } from 'viem'
import { directMandate, openShop, settleBody, settleWith, termsFor } from '../actors/ap2/shop.ts'
import { issue, open, payWith, present, signed } from '../actors/attack-kit.ts'
import { directSeller, report, reportTo } from '../actors/direct/direct-kit.ts'
import { ask, newAddress, settle } from '../actors/facilitator-kit.ts'
import { paidCard, registryAbi } from '../actors/identity/identities.ts'
import { listedOnChain, newBuyer, paymentOf } from '../actors/identity/on-chain-sales.ts'
import { encode } from '../actors/link-kit.ts'
import { payer, requested } from '../actors/payers/payer.ts'
import type { OwnWorld } from '../chain-faults/own-world.ts'
import { handMadeSeller, paymentResponse } from '../sellers/x402-sellers.ts'
import type { Reply, User, World } from '../world.ts'

type Address = `0x${string}`
/** `ask` is the same request each time: with the same key, or with what its payer signed. */
export type Act = { name: string; ask(on: World): Promise<Reply> }
/** A door that a seller holds shut until the test lets it settle. */
export type Gate = { opened: Promise<void>; open(): void }

export function gate(): Gate {
  let open = () => {}
  const opened = new Promise<void>((done) => {
    open = done
  })
  return { opened, open }
}

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
const OK = { status: 200, body: {}, headers: {}, text: '' }

/** The parties, their acts, and the addresses that the acts pay. Everything is ready and nothing is asked. */
export async function company(own: OwnWorld, till: Gate) {
  const { w } = own
  const user = await w.user({ treasury: 100, usdc: 20 })
  const purse = await w.user({ treasury: 50 })
  const acts: Act[] = []
  const paid: Address[] = []
  const add = (name: string, request: Act['ask'], ...payees: Address[]) => {
    acts.push({ name, ask: request })
    paid.push(...payees)
  }
  const payout = newAddress()
  const withdraw = (key: string): Act => ({
    name: `payout ${key}`,
    ask: (on) =>
      on.as(user).post('/api/withdraw', { amount: '10', to_address: payout }, keyed(key)),
  })
  acts.push(withdraw('one'))
  paid.push(payout)
  await links(own, user, add)
  await purchases(own, { user, till }, add)
  await memberships(own, add)
  const identities = await tokens(own, add)
  const books = await inBooks(w, purse, add)
  return { user, purse, acts, paid, withdraw, ...identities, ...books }
}
export type Company = Awaited<ReturnType<typeof company>>
type Add = (name: string, request: Act['ask'], ...payees: Address[]) => void

/** Payments that others signed, which a relayer carries: to a link, to a seller's wallet, for another seller. */
async function links(own: OwnWorld, user: User, add: Add): Promise<void> {
  const { w } = own
  const custodial = await open(user, await issue(user, 1))
  const forLink = await signed(w, await own.payer(), custodial.deposit_address, 1_000_000n)
  add('payment of a link', (on) => present(on, custodial.code, forLink), custodial.deposit_address)

  const shop = await directSeller(w)
  const link = await shop.open()
  const demand = (await w.call('GET', `/pay/${link.code}`)).headers['payment-required']
  const { accepts } = JSON.parse(Buffer.from(String(demand), 'base64').toString())
  const offer = { requirements: accepts[0], value: BigInt(accepts[0].amount) }
  const payer = await own.payer()
  const { paymentPayload } = await ask(payer, shop.wallet, offer)
  const headers = { 'payment-signature': encode(paymentPayload) }
  const pay: Act['ask'] = async (on) => {
    const reply = await on.call('GET', `/pay/${link.code}`, undefined, { headers })
    if (reply.body.error !== 'already_used') return reply
    // The seller has the money, and nothing on the chain says what for: the payer does, as the refusal asks.
    const txHash = await on.lastTransferTo(shop.wallet)
    return reportTo(on, link, await report(on, { link, txHash, payer }))
  }
  add('payment of a DIRECT link', pay, shop.wallet)

  const other = newAddress()
  const body = await ask(await own.payer(), other)
  add('settlement for another seller', (on) => settle(on.as(user), body, 'other'), other)
}

/** A card that buys outside. The seller takes its money once the till is open. */
async function purchases(own: OwnWorld, { user, till }: { user: User; till: Gate }, add: Add) {
  const shop = await handMadeSeller({
    amount: 100_000n,
    rpcUrl: own.rpcUrl,
    async serve({ response, settle: take, payload }) {
      await till.opened
      const hash = await once(payload.authorization.nonce, take)
      response.writeHead(200, { 'payment-response': paymentResponse(hash) }).end('{}')
    },
  })
  const taken = new Map<string, Promise<Address>>()
  // An honest seller serves again whom it has already been paid by.
  function once(nonce: string, take: () => Promise<Address>): Promise<Address> {
    const known = taken.get(nonce) ?? take()
    taken.set(nonce, known)
    return known
  }
  const card = await issue(user, 3)
  const body = { card_id: card.id, card_token: card.token, url: shop.url }
  add('purchase', (on) => on.as(user).post('/api/pay', body, keyed('report')), shop.payTo)
}

/** A charge that is taken within an allowance. */
async function memberships(own: OwnWorld, add: Add): Promise<void> {
  const member = await own.during(payer(own.w), { always: true })
  const of = { chargeId: 'chg_yesterday' }
  const request: Act['ask'] = async (on) => {
    await requested(on, member, of)
    return OK
  }
  add('pull', request, member.wallet as Address)
}

/** A token that is minted for a card, and a card that is sold with its token. */
async function tokens(own: OwnWorld, add: Add) {
  const { w } = own
  const minted = await own.during(paidCard(w), { always: true })
  const mint = (on: World) => on.as(minted.seller).post(`/api/cards/${minted.id}/identity`)
  add('mint', mint)
  const sale = await own.during(listedOnChain(w), { always: true })
  const buyer = await newBuyer(w)
  const authorization = await paymentOf(buyer, sale.listingId)
  const buy: Act['ask'] = (on) =>
    on.as(buyer).post(`/api/listings/${sale.listingId}/buy`, { authorization })
  add('sale', buy, sale.seller.wallet as Address, buyer.wallet as Address)
  return { minted, sale, buyer }
}

/** Payments in the books alone: by card, and by a mandate with its receipt. */
async function inBooks(w: World, purse: User, add: Add) {
  const seller = await w.user({ treasury: 5 })
  const link = await open(seller, await issue(seller, 1))
  const card = await issue(purse, 5)
  add('payment by card', (on) => payWith(on, link.code, card, 'tea'))
  const shop = await openShop(w)
  const closed = await directMandate(termsFor(w, shop.link, shop.card), shop.userKey)
  const settleMandate = (on: World) => settleWith(on.as(shop.payer), settleBody(shop, closed))
  add('payment by mandate', settleMandate)
  return { seller, shop, inBooks: [link.code, shop.link.code] }
}

/** How many tokens the registry has made since the block. */
export async function countMinted(own: OwnWorld): Promise<number> {
  const registry = own.w.services.settings.identity!.registry
  const logs = await own.node.getLogs({ address: registry, fromBlock: 0n })
  const transfers = parseEventLogs({
    logs,
    abi: [
      {
        type: 'event',
        name: 'Transfer',
        inputs: [
          { name: 'from', type: 'address', indexed: true },
          { name: 'to', type: 'address', indexed: true },
          { name: 'tokenId', type: 'uint256', indexed: true },
        ],
      },
    ] as const,
  })
  return transfers.filter(({ args }) => BigInt(args.from) === 0n).length
}

export const ownerOf = (own: OwnWorld, tokenId: bigint): Promise<Address> =>
  own.node.readContract({
    address: own.w.services.settings.identity!.registry,
    abi: registryAbi,
    functionName: 'ownerOf',
    args: [tokenId],
  })
