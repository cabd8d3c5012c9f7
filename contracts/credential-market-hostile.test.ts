import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  numberToHex,
  zeroAddress,
} from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { testChain } from '../packages/service/test/world/chain.ts'
import smartAccountArtifact from './build/SmartAccount.json' with { type: 'json' }
import {
  DOLLAR,
  FEE_BPS,
  type Listing,
  list,
  MANNERS,
  marketAbi,
  newMarket,
  newRegistry,
  PRICE,
} from './listings.ts'
import { openSales, type Sales } from './sales.ts'
import { newContract, newSigner, newWallet, place, setFirstWord } from './token.ts'

const WRONG_SIGNATURE = 'FiatTokenV2: invalid signature'
const FEE = (PRICE * BigInt(FEE_BPS)) / 10_000n
/** States of a listing in the contract. */
const [OPEN, CANCELLED] = [0, 2]

let sales: Sales
const mallory = newSigner()

beforeAll(async () => {
  sales = await openSales()
})

describe('the seller’s listing', () => {
  test('holds for what was signed, in every field', async () => {
    const sale = await sales.newSale()
    const { listing } = sale
    const changes: Partial<Listing>[] = [
      { price: listing.price - 1n },
      { feeBps: listing.feeBps + 1 },
      { feeReceiver: mallory.address },
      { buyer: sale.buyer.address },
      { operator: mallory.address },
      { expiry: listing.expiry + 1n },
      { nonce: listing.nonce + 1n },
      { holder: mallory.address },
      { minHolderUsdc: 0n, holderState: 1n },
      { minHolderUsdc: 1n },
    ]
    for (const change of changes) {
      const changed = { ...sale, listing: { ...listing, ...change } }
      expect(await sales.attempt(await sales.saleArgs(changed, { signed: listing }))).toBe(
        'WrongSellerSignature',
      )
    }
    const other = await sales.offer()
    const stolen = { ...listing, tokenId: other.listing.tokenId, seller: other.listing.seller }
    const args = await sales.saleArgs({ ...sale, listing: stolen })
    expect(await sales.attempt(args)).toBe('WrongSellerSignature')
    expect(await sales.attempt(await sales.saleArgs(sale))).toBe('done')
  })

  test('holds in this contract alone', async () => {
    const sale = await sales.newSale()
    const elsewhere = await newMarket(sales.usdc)
    const args = await sales.saleArgs(sale)
    const from = mallory.address
    expect(await elsewhere.attempt({ from, functionName: 'fulfil', args })).toBe(
      'WrongSellerSignature',
    )
  })

  test('ends after its expiry', async () => {
    const soon = BigInt(Math.floor(Date.now() / 1_000)) + 1_000_000n
    const args = await sales.saleArgs(await sales.newSale({ expiry: soon }))
    expect(await sales.attempt(args, soon)).toBe('done')
    expect(await sales.attempt(args, soon + 1n)).toBe('ListingExpired')
  })

  test('for one buyer is not for another', async () => {
    const buyer = await sales.newBuyer()
    const sale = { ...(await sales.newSale({ buyer: buyer.address })), buyer }
    expect(
      await sales.attempt(await sales.saleArgs({ ...sale, buyer: await sales.newBuyer() })),
    ).toBe('BuyerNotAllowed')
    expect(await sales.attempt(await sales.saleArgs(sale))).toBe('done')
  })

  test('names a fee within bounds, and its receiver', async () => {
    expect(await sales.attempt(await sales.saleArgs(await sales.newSale({ feeBps: 1_000 })))).toBe(
      'done',
    )
    expect(await sales.attempt(await sales.saleArgs(await sales.newSale({ feeBps: 1_001 })))).toBe(
      'FeeTooHigh',
    )
    const nobody = await sales.newSale({ feeReceiver: zeroAddress })
    expect(await sales.attempt(await sales.saleArgs(nobody))).toBe('NoFeeReceiver')
  })

  test('is stale once the token has moved, and needs the approval of the market', async () => {
    const sale = await sales.newSale()
    const { seller, tokenId } = sale.listing
    const args = [sales.market.address, false]
    await sales.registry.send({ from: seller, functionName: 'setApprovalForAll', args })
    expect(await sales.attempt(await sales.saleArgs(sale))).toBe('ERC721InsufficientApproval')
    const moved = [seller, mallory.address, tokenId]
    await sales.registry.send({ from: seller, functionName: 'transferFrom', args: moved })
    expect(await sales.attempt(await sales.saleArgs(sale))).toBe('Stale')
    expect(await sales.balanceOf(sale.buyer.address)).toBe(PRICE)
  })

  test('can be cancelled by the seller, before anybody saw it and for good', async () => {
    const sale = await sales.newSale()
    const cancel = { functionName: 'cancel', args: [sale.listing] }
    expect(await sales.market.attempt({ from: sale.buyer.address, ...cancel })).toBe('NotSeller')
    expect(await sales.stateOf(sale.listing)).toBe(OPEN)
    await sales.market.send({ from: sale.listing.seller, ...cancel })
    expect(await sales.stateOf(sale.listing)).toBe(CANCELLED)
    expect(await sales.attempt(await sales.saleArgs(sale))).toBe('ListingCancelled')
    expect(await sales.market.attempt({ from: sale.listing.seller, ...cancel })).toBe(
      'ListingCancelled',
    )
    const next = { ...sale, listing: { ...sale.listing, nonce: 2n } }
    await sales.fulfil(await sales.saleArgs(next))
    const late = { functionName: 'cancel', args: [next.listing] }
    expect(await sales.market.attempt({ from: sale.listing.seller, ...late })).toBe('AlreadySold')
  })

  test('sells neither to the seller nor into the token’s own account', async () => {
    const buyer = await sales.newBuyer()
    const loop = { ...(await sales.newSale({ holder: buyer.address })), buyer }
    expect(await sales.attempt(await sales.saleArgs(loop))).toBe('BuyerNotAllowed')
    const own = await sales.offer()
    await sales.mint(own.listing.seller, PRICE)
    expect(await sales.attempt(await sales.saleArgs({ ...own, buyer: own.seller }))).toBe(
      'BuyerNotAllowed',
    )
  })
})

describe('the holder account', () => {
  /** An account whose state is its storage slot 0, since this code answers that slot to any call. It pays nothing. */
  const ANSWERS_SLOT_0 = '0x60005460005260206000f3'

  async function newHolder(): Promise<Address> {
    const holder = await place(testChain(), ANSWERS_SLOT_0)
    await sales.mint(holder, 50n * DOLLAR)
    return holder
  }

  test('must be as it was when the seller signed', async () => {
    const holder = await newHolder()
    const moveTo = (state: bigint) => setFirstWord(testChain(), holder, numberToHex(state))
    const sale = await sales.newSale({ holder })
    const args = await sales.saleArgs(sale)
    expect(await sales.attempt(args)).toBe('done')
    await moveTo(1n)
    expect(await sales.attempt(args)).toBe('HolderChanged')
    await moveTo(0n)
    expect(await sales.attempt(args)).toBe('done')
    expect(await sales.balanceOf(sale.buyer.address)).toBe(PRICE)
  })

  test('may have no code yet; its state is 0 then', async () => {
    const holder = newSigner().address
    await sales.mint(holder, DOLLAR)
    const terms = { holder, minHolderUsdc: DOLLAR }
    expect(await sales.attempt(await sales.saleArgs(await sales.newSale(terms)))).toBe('done')
    const acted = await sales.newSale({ ...terms, holderState: 1n })
    expect(await sales.attempt(await sales.saleArgs(acted))).toBe('HolderChanged')
  })
})

describe('contracts that sign', () => {
  test('buy and sell as people do', async () => {
    const [sellerKey, buyerKey] = [newSigner(), newSigner()]
    const rpc = testChain().rpcUrl
    const [seller, buyer] = await Promise.all([
      newWallet(rpc, sellerKey.address),
      newWallet(rpc, buyerKey.address),
    ])
    await sales.mint(buyer, PRICE)
    const { listing } = await sales.offer({ seller })
    const sale = {
      listing,
      seller: { ...sellerKey, address: seller },
      buyer: { ...buyerKey, address: buyer },
    }
    expect(await sales.attempt(await sales.saleArgs({ ...sale, seller: buyerKey }))).toBe(
      'WrongSellerSignature',
    )
    expect(
      await sales.attempt(
        await sales.saleArgs({ ...sale, buyer: { ...sellerKey, address: buyer } }),
      ),
    ).toBe(WRONG_SIGNATURE)
    await sales.fulfil(await sales.saleArgs(sale))
    expect(await sales.ownerOf(listing)).toBe(getAddress(buyer))
    expect(await sales.balanceOf(seller)).toBe(PRICE - FEE)
  })

  test('sell only by the key that owns them now', async () => {
    const [before, after] = [newSigner(), newSigner()]
    const account = await newContract(testChain(), smartAccountArtifact, [before.address])
    const { address } = account
    // Only the code survives `newContract`, so the owner is written into the storage again.
    await setFirstWord(testChain(), address, before.address)
    const { listing } = await sales.offer({ seller: address })
    const sale = { listing, seller: before, buyer: await sales.newBuyer() }
    const args = await sales.saleArgs(sale)
    expect(await sales.attempt(args)).toBe('done')
    await account.send({ from: before.address, functionName: 'setOwner', args: [after.address] })
    expect(await sales.attempt(args)).toBe('WrongSellerSignature')
  })
})

describe('a hostile registry', () => {
  /** Sells a token of a registry that turns hostile after the seller listed it. */
  async function turn(manner: (typeof MANNERS)[number], callData: Hex = '0x') {
    const hostile = await newRegistry()
    const { listing, seller } = await list({ ...sales, registry: hostile })
    const sale = { listing, seller, buyer: await sales.newBuyer() }
    await hostile.send({
      from: sales.admin,
      functionName: 'setManner',
      args: [MANNERS.indexOf(manner), sales.market.address, callData],
    })
    return { hostile, sale, args: await sales.saleArgs(sale) }
  }

  const callOf = (args: unknown[]): Hex =>
    encodeFunctionData({ abi: marketAbi, functionName: 'fulfil', args })

  test('that keeps the token gets no money for it', async () => {
    const { args, sale } = await turn('KEEPS')
    expect(await sales.attempt(args)).toBe('NotDelivered')
    expect(await sales.stateOf(sale.listing)).toBe(OPEN)
  })

  test('cannot begin another sale in the middle of its own', async () => {
    const victim = await sales.newSale()
    const inner = callOf(await sales.saleArgs(victim))
    const strict = await turn('REENTERS_OR_FAILS', inner)
    expect(await sales.attempt(strict.args)).toBe('ReentrancyGuardReentrantCall')
    const { hostile, sale, args } = await turn('REENTERS', inner)
    await sales.fulfil(args)
    expect(await hostile.read('reentered')).toBe(false)
    expect(await sales.balanceOf(sale.listing.seller)).toBe(PRICE - FEE)
    expect(await sales.ownerOf(victim.listing)).toBe(victim.listing.seller)
    expect(await sales.balanceOf(sales.market.address)).toBe(0n)
    // The guard is open again after the sale.
    expect(await sales.attempt(await sales.saleArgs(victim))).toBe('done')
  })
})
