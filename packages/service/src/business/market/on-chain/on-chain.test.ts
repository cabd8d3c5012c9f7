import { encodeFunctionData, parseAbi, zeroHash } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import {
  carried,
  moveToken,
  registryAbi,
  useUpRations,
} from '../../../../test/actors/identity/identities.ts'
import {
  buy,
  cancelledOnChain,
  ended,
  listed,
  listedOnChain,
  newBuyer,
  type OnChainListing,
  paymentOf,
  prepared,
  relayedByStranger,
  signWire,
  withdrawnCard,
} from '../../../../test/actors/identity/on-chain-sales.ts'
import { sendBy } from '../../../../test/actors/token-kit.ts'
import { freshAccount } from '../../../../test/world/chain.ts'
import { type User, type World, world } from '../../../../test/world.ts'
import { all, sql } from '../../../base/db/sql.ts'
import { ACCOUNT_REGISTRY } from '../../../chain/client/public/contracts.ts'
import { readAssetBalance } from '../../../chain/client/reads.ts'
import { fundGas } from '../../../run/embedded/dev/chain.ts'
import { DEV_CARD_ACCOUNT } from '../../../run/embedded/dev/credentials.ts'
import { onChainSaleTasks } from './jobs.ts'
import { carrySale } from './sale/carry.ts'

const open = () => world({ identities: true })
const usdcOf = (w: World, { wallet }: Pick<User, 'wallet'>) =>
  readAssetBalance(w.chain, wallet as `0x${string}`)
const listingOf = async (w: World, { listingId }: OnChainListing) =>
  (await w.call('GET', `/api/listings/${listingId}`)).body.listing
const statusOf = async (user: User, id: string) =>
  (await user.get(`/api/cards/${id}`)).body.card?.status
const ownerOnChain = (w: World, { row }: OnChainListing) =>
  w.chain.rpc.readContract({
    abi: registryAbi,
    address: row.registry,
    functionName: 'ownerOf',
    args: [row.tokenId ?? 0n],
  })
const accountAbi = parseAbi([
  'function execute(address to, uint256 value, bytes data, uint8 operation)',
  'function createAccount(address implementation, bytes32 salt, uint256 chainId, address token, uint256 tokenId)',
])
/** Deploys the account of the card's identity token. */
const deployAccount = (w: World, by: PrivateKeyAccount, { row }: Pick<OnChainListing, 'row'>) =>
  sendBy(
    by,
    ACCOUNT_REGISTRY,
    encodeFunctionData({
      abi: accountAbi,
      functionName: 'createAccount',
      args: [DEV_CARD_ACCOUNT, zeroHash, BigInt(w.chain.chainId), row.registry, row.tokenId ?? 0n],
    }),
  )
const rowsOf = async (w: World) =>
  (
    await all<{ n: bigint }>(
      w.db.reader,
      sql`select (select count(*) from onchain_payments) + (select count(*) from sales)
        + (select count(*) from gas_flights) as n`,
    )
  )[0]?.n

test('the chain moves money and token at once, and then the card changes hands as in any sale', async () => {
  await using w = await open()
  const sale = await listedOnChain(w)
  const { seller, id, listingId } = sale
  const buyer = await newBuyer(w)
  const before = await usdcOf(w, seller)
  const authorization = await paymentOf(buyer, listingId)
  const pay = () => buyer.post(`/api/listings/${listingId}/buy`, { authorization })
  const accepted = await pay()
  expect(accepted.status, accepted.text).toBe(202)
  expect(accepted.body.listing).toMatchObject({ status: 'SETTLING', buyer: buyer.wallet })
  const { card_id } = (
    await seller.post('/api/listings', { card_id: (await seller.card()).id, price: 1 })
  ).body.listing
  for (const sort of ['newest', 'price_asc', 'price_desc', 'revenue_desc']) {
    const { body } = await w.call('GET', `/api/listings?limit=1&sort=${sort}`)
    expect([sort, body]).toMatchObject([sort, { total: 1, listings: [{ card_id }] }])
  }
  expect(await statusOf(seller, id)).toBe('FROZEN')
  for (const path of ['unfreeze', 'cancel', 'rotate-token', 'freeze'])
    expect((await seller.post(`/api/cards/${id}/${path}`)).body.code).toBe('invalid_state')
  expect((await seller.send('DELETE', `/api/listings/${listingId}`)).body.code).toBe(
    'listing_closed',
  )
  // Neither waits for a ration: the sale has paid for what follows.
  await useUpRations(w, [seller.wallet, buyer.wallet])
  // The same payment again is the same sale.
  expect((await pay()).body.listing).toMatchObject({ id: listingId, status: 'SETTLING' })
  await ended(w, listingId)
  const listing = await listingOf(w, sale)
  expect(listing).toMatchObject({
    status: 'SOLD',
    buyer: buyer.wallet,
    settled_tx: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    settled_at: expect.any(String),
  })
  // Half a percent is the service's fee; it goes to the operator's own address on chain.
  expect((await usdcOf(w, seller)) - before).toBe(24_875_000n)
  const { feeReceiver } = w.services.settings.onChainSales ?? {}
  expect(await usdcOf(w, { wallet: feeReceiver as string })).toBe(125_000n)
  expect(await usdcOf(w, buyer)).toBe(75_000_000n)
  expect(await ownerOnChain(w, sale)).toBe(buyer.wallet)
  expect(await statusOf(buyer, id)).toBe('ACTIVE')
  expect((await seller.get(`/api/cards/${id}`)).status).toBe(404)
  const rotated = await buyer.post(`/api/cards/${id}/rotate-token`)
  expect(rotated.status, rotated.text).toBe(200)
  const row = await carried(w, id)
  expect(row).toMatchObject({ state: 'FINAL', custody: 'WITHDRAWN', ownerWallet: buyer.wallet })
  expect(row.askedBy).toBe(buyer.wallet)
  expect(await w.faults()).toEqual([])
})

test('of two buyers one gets the card, and the other keeps the money', async () => {
  await using w = await open()
  const sale = await listedOnChain(w)
  const buyers = [await newBuyer(w), await newBuyer(w)]
  const answers = await Promise.all(buyers.map((buyer) => buy(buyer, sale.listingId)))
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 409])
  await Promise.all([ended(w, sale.listingId), ended(w, sale.listingId)])
  const balances = await Promise.all(buyers.map((buyer) => usdcOf(w, buyer)))
  expect(balances.toSorted((a, b) => Number(a - b))).toEqual([75_000_000n, 100_000_000n])
  const winner = answers[0]?.status === 202 ? buyers[0] : buyers[1]
  expect(await ownerOnChain(w, sale)).toBe(winner?.wallet)
  expect(await listingOf(w, sale)).toMatchObject({ status: 'SOLD', buyer: winner?.wallet })
  const sold = await all(w.db.reader, sql`select id from events where type = 'listing.sold'`)
  expect(sold).toHaveLength(2)
  expect(await w.faults()).toEqual([])
})

test('a stranger who relays the sale first changes nothing', async () => {
  await using w = await open()
  const sale = await listedOnChain(w)
  const buyer = await newBuyer(w)
  expect((await buy(buyer, sale.listingId)).status).toBe(202)
  const hash = await relayedByStranger(w, sale.listingId)
  await ended(w, sale.listingId)
  expect(await listingOf(w, sale)).toMatchObject({ status: 'SOLD', settled_tx: hash })
  expect(await usdcOf(w, buyer)).toBe(75_000_000n)
  expect(await statusOf(buyer, sale.id)).toBe('ACTIVE')
  expect(await w.faults()).toEqual([])
})

test('what does not pay this listing is refused, and leaves no row and no freeze', async () => {
  await using w = await open()
  const sale = await listedOnChain(w)
  const [buyer, poor] = [await newBuyer(w), await newBuyer(w, 24)]
  const before = await rowsOf(w)
  const now = Math.floor(w.now().getTime() / 1_000)
  const changes: Record<string, unknown>[] = [
    { value: '24999999' },
    { value: '25000001' },
    { nonce: `0x${'11'.repeat(32)}` },
    { to: sale.seller.wallet },
    { from: sale.seller.wallet },
    { validBefore: String(now) },
    { validBefore: String(now + 40_000) },
    { validAfter: String(now + 1_000) },
  ]
  for (const change of changes) {
    const answer = await buy(buyer, sale.listingId, change)
    expect([change, answer.body.code]).toEqual([change, 'authorization_rejected'])
  }
  const forged = await paymentOf(buyer, sale.listingId)
  const signature = await signWire(poor.account, {
    ...(await buyer.get(`/api/listings/${sale.listingId}/buy/prepare`)).body.typed_data,
  })
  const path = `/api/listings/${sale.listingId}/buy`
  const bad = await buyer.post(path, { authorization: { ...forged, signature } })
  expect(bad.body.code).toBe('authorization_rejected')
  expect((await buy(poor, sale.listingId)).body.code).toBe('authorization_rejected')
  expect((await buyer.post(path, {})).body.code).toBe('missing_field')
  const own = await sale.seller.get(`/api/listings/${sale.listingId}/buy/prepare`)
  expect(own.body.code).toBe('own_listing')
  expect(await rowsOf(w)).toBe(before)
  expect(await statusOf(sale.seller, sale.id)).toBe('ACTIVE')
  expect((await buy(buyer, sale.listingId)).status).toBe(202)
})

test('a listing that the chain does not bear out is stale: emptied account, moved token', async () => {
  await using w = await open()
  const card = await withdrawnCard(w)
  const holder = card.row.holderAddress as `0x${string}`
  const giver = await freshAccount({ usdc: 5_000_000n })
  await w.transfer(giver, holder, 5_000_000n)
  const asked = { card_id: card.id, price: 25 }
  const dust = await card.seller.post('/api/listings/prepare', { ...asked, price: 0.000_999 })
  expect(dust.body).toMatchObject({ code: 'amount_below_minimum', param: 'price' })
  const drafts = Array.from({ length: 20 }, () => card.seller.post('/api/listings/prepare', asked))
  for (const { status, text } of await Promise.all(drafts)) expect(status, text).toBe(200)
  const signature = await prepared(w, card)
  const order = { card_id: card.id, price: 25, mode: 'onchain' }
  for (const wrong of [
    { price: 26 },
    { seller_signature: `0x${'22'.repeat(65)}` },
    { seller_signature: undefined },
  ]) {
    const body = { ...order, seller_signature: signature, ...wrong }
    expect((await card.seller.post('/api/listings', body)).status).toBeGreaterThanOrEqual(400)
  }
  const made = await card.seller.post('/api/listings', { ...order, seller_signature: signature })
  expect(made.status, made.text).toBe(200)
  const { id: listingId } = made.body.listing
  const buyer = await newBuyer(w)
  const payment = await paymentOf(buyer, listingId)
  // The account has no code yet, so the test speaks for it.
  await w.chain.rpc.request({ method: 'anvil_impersonateAccount', params: [holder] } as never)
  await drain(w, holder)
  const path = `/api/listings/${listingId}/buy`
  const drained = await buyer.post(path, { authorization: payment })
  expect(drained.body).toMatchObject({
    code: 'listing_stale',
    error: expect.stringMatching(/money/),
  })
  const { seller, row } = card
  const to = (await freshAccount()).address
  await moveToken(w, { from: seller.account, to, tokenId: row.tokenId ?? 0n })
  const moved = await buyer.post(path, { authorization: payment })
  expect(moved.body).toMatchObject({ code: 'listing_stale', error: expect.stringMatching(/left/) })
  expect(await usdcOf(w, buyer)).toBe(100_000_000n)
})

// An allowance outlives the sale, so the money must leave the account in the sale's own transaction.
test('an allowance from before the listing takes nothing of what the buyer was promised', async () => {
  await using w = await open()
  const card = await withdrawnCard(w)
  const { seller, row } = card
  const holder = row.holderAddress as `0x${string}`
  const [giver, accomplice] = [await freshAccount({ usdc: 40_000_000n }), await freshAccount()]
  const usdc = w.chain.asset.contract
  await fundGas({ rpcUrl: w.rpcUrl, address: seller.account.address, wei: 10n ** 18n })
  await deployAccount(w, seller.account, card)
  await w.transfer(giver, holder, 40_000_000n)
  const allowance = encodeFunctionData({
    abi: parseAbi(['function approve(address, uint256)']),
    functionName: 'approve',
    args: [accomplice.address, 40_000_000n],
  })
  const args = [usdc, 0n, allowance, 0] as const
  const execute = encodeFunctionData({ abi: accountAbi, functionName: 'execute', args })
  await sendBy(seller.account, holder, execute)
  const sale = await listed(w, card)
  const buyer = await newBuyer(w)
  const offered = await buyer.get(`/api/listings/${sale.listingId}/buy/prepare`)
  expect(offered.body.holder).toMatchObject({ address: holder, pays_buyer: 40 })
  expect(offered.body.holder.not_promised).toMatch(/an allowance outlives a sale/)
  const before = await usdcOf(w, buyer)
  expect((await buy(buyer, sale.listingId)).status).toBe(202)
  await ended(w, sale.listingId)
  expect((await listingOf(w, sale)).status).toBe('SOLD')
  expect((await usdcOf(w, buyer)) - before).toBe(15_000_000n)
  const taken = w.chain.rpc.simulateContract({
    account: accomplice.address,
    address: usdc,
    abi: parseAbi(['function transferFrom(address, address, uint256)']),
    functionName: 'transferFrom',
    args: [holder, accomplice.address, 1n],
  })
  await expect(taken).rejects.toThrow('transfer amount exceeds balance')
})

test('a listing ends by itself once its seller has cancelled it on chain, or its signature is over', async () => {
  await using w = await open()
  const sale = await listedOnChain(w)
  const { seller, id } = sale
  const buyer = await newBuyer(w)
  const authorization = await paymentOf(buyer, sale.listingId)
  const bought = () => buyer.post(`/api/listings/${sale.listingId}/buy`, { authorization })
  await cancelledOnChain(w, sale)
  expect((await bought()).body.code).toBe('authorization_rejected')
  await w.safe()
  await w.runJobs()
  const cancelled = { status: 'CANCELLED', reason: 'cancelled_on_chain', sellable: false }
  expect(await listingOf(w, sale)).toMatchObject(cancelled)
  expect((await bought()).body.code).toBe('listing_closed')

  const again = await listed(w, sale)
  const { expires_at: expiresAt } = await listingOf(w, again)
  const left = (Date.parse(expiresAt) - w.now().getTime()) / 1_000
  expect(left).toBeGreaterThan(89 * 86_400)
  const late = await paymentOf(buyer, again.listingId)
  await w.advance(left - 60)
  expect(await listingOf(w, again)).toMatchObject({ status: 'LISTED', sellable: true })
  await w.advance(62)
  expect(await listingOf(w, again)).toMatchObject({ status: 'LISTED', sellable: false })
  const path = `/api/listings/${again.listingId}/buy`
  expect((await buyer.post(path, { authorization: late })).status).toBe(409)
  await w.runJobs()
  expect(await listingOf(w, again)).toMatchObject({
    status: 'CANCELLED',
    reason: 'listing_expired',
  })
  const events = await all(
    w.db.reader,
    sql`select data->>'reason' as reason from events where type = 'listing.cancelled' order by xid, seq`,
  )
  expect(events).toEqual([{ reason: 'cancelled_on_chain' }, { reason: 'listing_expired' }])
  expect(await statusOf(seller, id)).toBe('ACTIVE')
  const anew = await seller.post('/api/listings', { card_id: id, price: 5 })
  expect(anew.status, anew.text).toBe(200)
})

test('a listing that names an earlier key of the service ends, and its seller can list again', async () => {
  await using w = await open()
  const sale = await listedOnChain(w)
  const [watch] = onChainSaleTasks.filter(({ name }) => name === 'watch_listings')
  const treasury = privateKeyToAccount(generatePrivateKey())
  const changed = { ...w.services, chain: { ...w.chain, treasury } } as World['services']
  await watch?.handle(w.services, {}, w.now())
  expect(await listingOf(w, sale)).toMatchObject({ status: 'LISTED' })
  await watch?.handle(changed, {}, w.now())
  expect(await listingOf(w, sale)).toMatchObject({
    status: 'CANCELLED',
    reason: 'operator_changed',
  })
  const [event] = await all<{ wallet: string; reason: string }>(
    w.db.reader,
    sql`select wallet_address as wallet, data->>'reason' as reason from events where type = 'listing.cancelled'`,
  )
  expect(event).toEqual({ wallet: sale.seller.wallet, reason: 'operator_changed' })
  const again = await listed(w, sale)
  expect(await listingOf(w, again)).toMatchObject({ status: 'LISTED', sellable: true })
})

/** Sends a dollar away from an address without a key. */
async function drain(w: World, from: `0x${string}`): Promise<void> {
  const { asset, rpc } = w.chain
  const request = rpc.request as (call: unknown) => Promise<`0x${string}`>
  await request({ method: 'anvil_setBalance', params: [from, '0xde0b6b3a7640000'] })
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  const data = `0xa9059cbb${word(1n)}${word(1_000_000n)}`
  const params = [{ from, to: asset.contract, data }]
  await w.mined(await request({ method: 'eth_sendTransaction', params }))
}

test('a sale is brought to its end by any machine, however often it is carried, and once', async () => {
  await using w = await open()
  await using other = await w.machine()
  const sale = await listedOnChain(w)
  const buyer = await newBuyer(w)
  expect((await buy(buyer, sale.listingId)).status).toBe(202)
  const both = () =>
    Promise.all([w, other, w, other].map((m) => carrySale(m.services, m.now(), sale.listingId)))
  for (let round = 0; round < 20; round++) {
    const ends = await both()
    if (ends.every((isOver) => isOver)) break
    await w.safe()
  }
  expect(await listingOf(w, sale)).toMatchObject({ status: 'SOLD', buyer: buyer.wallet })
  const handovers = await all(
    w.db.reader,
    sql`select from card_handovers where card_id = ${sale.id}`,
  )
  expect(handovers).toHaveLength(1)
  expect(await usdcOf(w, buyer)).toBe(75_000_000n)
  expect(await w.faults()).toEqual([])
})
