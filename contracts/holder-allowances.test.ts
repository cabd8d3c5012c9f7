import { type Address, encodeFunctionData, getAddress, parseAbi, zeroHash } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { PERMIT2 } from '../packages/service/src/base/protocols/evm/permit2/abi.ts'
import { DEV_CARD_ACCOUNT } from '../packages/service/src/run/embedded/dev/credentials.ts'
import { testChain } from '../packages/service/test/world/chain.ts'
import marketArtifact from './build/CredentialMarket.json' with { type: 'json' }
import usdcArtifact from './build/TestUsdc.json' with { type: 'json' }
import { DOLLAR, LATER, type Listing, OPERATOR, PRICE, signListing } from './listings.ts'
import { openSales, type Sale, type Sales } from './sales.ts'
import {
  type Contract,
  contractAt,
  newContract,
  newSigner,
  newToken,
  place,
  signMessage,
} from './token.ts'
import { NOBODY, openVault, STRANGER, type Vaults } from './vaults.ts'

const PROMISED = 40n * DOLLAR
const mallory = newSigner()
const PERMIT2_ABI = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function transferFrom(address from, address to, uint160 amount, address token)',
  'error InsufficientAllowance(uint256 amount)',
])
const permit2 = contractAt(testChain(), PERMIT2_ABI, PERMIT2)
let sales: Sales
let own: Vaults

beforeAll(async () => {
  ;[sales, own] = await Promise.all([openSales(), openVault()])
})

type Held = Awaited<ReturnType<typeof hold>>

/** An identity token in its seller's wallet, whose deployed account has 40 USDC. The market may move the token. */
async function hold() {
  const seller = newSigner()
  const { cardId, tokenId, holder } = await own.minted(seller)
  await own.do({ kind: 'release', cardId, owner: seller.address, step: 2n })
  const args = [DEV_CARD_ACCOUNT, zeroHash, 84_532n, own.registry.address, tokenId]
  await own.accounts.send({ from: STRANGER, functionName: 'createAccount', args })
  await sales.mint(holder, PROMISED)
  const approval = { functionName: 'setApprovalForAll', args: [sales.market.address, true] }
  await own.registry.send({ from: seller.address, ...approval })
  return { seller, tokenId, holder, account: own.accountAt(holder) }
}

/** The seller makes the account call a contract. */
const act = (
  { account, seller }: Held,
  to: Address,
  call: { abi: unknown; functionName: string; args: unknown[] },
) => {
  const data = encodeFunctionData(call as never)
  return account.send({ from: seller.address, functionName: 'execute', args: [to, 0n, data, 0] })
}

/** Lists the token with what its account has now, for a buyer who can pay. */
async function offer({ seller, tokenId, holder, account }: Held): Promise<Sale> {
  const listing: Listing = {
    registry: own.registry.address,
    tokenId,
    seller: seller.address,
    buyer: NOBODY,
    operator: OPERATOR.address,
    price: PRICE,
    feeBps: 0,
    feeReceiver: NOBODY,
    expiry: LATER,
    nonce: 1n,
    holder,
    holderState: (await account.read('state')) as bigint,
    minHolderUsdc: await sales.balanceOf(holder),
  }
  return { listing, seller, buyer: await sales.newBuyer() }
}

const take = (from: Address, value: bigint) => ({
  from: mallory.address,
  functionName: 'transferFrom',
  args: [from, mallory.address, value],
})
const approveOf = (spender: Address) => ({
  abi: usdcArtifact.abi,
  functionName: 'approve',
  args: [spender, 2n ** 255n],
})

/** Each gives the accomplice a right to the account's USDC, and answers how it is used. */
const RIGHTS: Record<string, (held: Held) => Promise<() => Promise<string>>> = {
  'an allowance': async (held) => {
    await act(held, sales.usdc.address, approveOf(mallory.address))
    return () => sales.usdc.attempt(take(held.holder, PROMISED))
  },
  'an allowance of Permit2': async (held) => {
    await act(held, sales.usdc.address, approveOf(PERMIT2))
    const args = [sales.usdc.address, mallory.address, 2n ** 100n, 2 ** 40]
    await act(held, PERMIT2, { abi: PERMIT2_ABI, functionName: 'approve', args })
    const taken = [held.holder, mallory.address, PROMISED, sales.usdc.address]
    return () =>
      permit2.attempt({ from: mallory.address, functionName: 'transferFrom', args: taken })
  },
}

describe.each(Object.entries(RIGHTS))('%s from before the listing', (_, give) => {
  test('takes nothing of what the buyer was promised', async () => {
    const held = await hold()
    const use = await give(held)
    expect(await use()).toBe('done')
    const sale = await offer(held)
    const receipt = await sales.fulfil(await sales.saleArgs(sale))
    // The relayer gives a sale 500,000.
    expect(receipt.gasUsed).toBeLessThan(260_000n)
    expect(await sales.balanceOf(sale.buyer.address)).toBe(PROMISED)
    expect(await use()).not.toBe('done')
    expect(await own.registry.read('ownerOf', held.tokenId)).toBe(getAddress(sale.buyer.address))
  })
})

test('an accomplice who is quicker than the sale ends it, and the buyer keeps the price', async () => {
  const held = await hold()
  await act(held, sales.usdc.address, approveOf(mallory.address))
  const sale = await offer(held)
  const args = await sales.saleArgs(sale)
  await sales.usdc.send(take(held.holder, 1n))
  expect(await sales.attempt(args)).toBe('HolderEmptied')
  expect(await sales.balanceOf(sale.buyer.address)).toBe(PRICE)
})

// A permit is not counted in the account's state, so no look at the account before the sale would see it in time.
test('a right that appears between the last look and the sale takes nothing either', async () => {
  const held = await hold()
  const sale = await offer(held)
  const args = await sales.saleArgs(sale)
  const approve = { functionName: 'approve', args: [mallory.address, PROMISED] }
  await sales.usdc.send({ from: held.holder, ...approve })
  expect(await held.account.read('state')).toBe(sale.listing.holderState)
  await sales.fulfil(args)
  expect(await sales.usdc.attempt(take(held.holder, PROMISED))).not.toBe('done')
  expect(await sales.balanceOf(sale.buyer.address)).toBe(PROMISED)
})

test('what the seller signed for the account is worth nothing once the token is sold', async () => {
  const held = await hold()
  const sale = await offer(held)
  await sales.fulfil(await sales.saleArgs(sale))
  await sales.mint(held.holder, DOLLAR)
  const message = {
    from: held.holder,
    to: mallory.address,
    value: DOLLAR,
    validAfter: 0n,
    validBefore: LATER,
    nonce: zeroHash,
  }
  const signed = await signMessage(
    sales.usdc,
    held.seller.privateKey,
    'TransferWithAuthorization',
    message,
  )
  const call = { functionName: 'transferWithAuthorization', args: signed.asBytes }
  expect(await sales.usdc.attempt({ from: mallory.address, ...call })).not.toBe('done')
})

test.each(['approve', 'setApprovalForAll'])(
  'an accomplice whom the seller let move the identity token by %s cannot take it from its buyer',
  async (functionName) => {
    const held = await hold()
    const what = functionName === 'approve' ? held.tokenId : true
    const args = [mallory.address, what]
    const sale = await offer(held)
    await own.registry.send({ from: held.seller.address, functionName, args })
    await sales.fulfil(await sales.saleArgs(sale))
    const buyer = sale.buyer.address
    for (const from of [buyer, held.seller.address])
      expect(
        await own.registry.attempt({
          from: mallory.address,
          functionName: 'transferFrom',
          args: [from, mallory.address, held.tokenId],
        }),
      ).not.toBe('done')
    expect(await own.registry.read('ownerOf', held.tokenId)).toBe(getAddress(buyer))
  },
)

test('only the promised USDC is safe: other money of the account stays within reach of old rights', async () => {
  const held = await hold()
  const other = await newToken(testChain(), sales.admin)
  const mint = [sales.admin, 2n ** 128n]
  await other.send({ from: sales.admin, functionName: 'configureMinter', args: mint })
  await other.send({ from: sales.admin, functionName: 'mint', args: [held.holder, DOLLAR] })
  await act(held, other.address, approveOf(mallory.address))
  const sale = await offer(held)
  await sales.mint(held.holder, 3n * DOLLAR)
  await sales.fulfil(await sales.saleArgs(sale))
  expect(await sales.balanceOf(held.holder)).toBe(3n * DOLLAR)
  expect(await other.attempt(take(held.holder, DOLLAR))).toBe('done')
})

describe('the account pays the buyer', () => {
  const payBuyer = async (held: Held, sale: Sale, by: Contract, change: Partial<Listing> = {}) => {
    const signature = await signListing(sales.market.address, sale.listing, sale.seller.privateKey)
    const listing = { ...sale.listing, ...change }
    const args = [listing, signature, sales.usdc.address, mallory.address]
    return held.account.attempt({ from: by.address, functionName: 'payBuyer', args })
  }

  test('for the market and the terms that its owner signed, and for nobody and nothing else', async () => {
    const [held, other] = [await hold(), await hold()]
    const sale = await offer(held)
    const elsewhere = await newContract(testChain(), marketArtifact, [sales.usdc.address])
    expect(await payBuyer(held, sale, elsewhere)).toBe('NotOwner')
    expect(await payBuyer(held, sale, sales.market, { minHolderUsdc: PROMISED + 1n })).toBe(
      'NotOwner',
    )
    expect(await payBuyer(other, sale, sales.market)).toBe('NotListed')
    expect(await payBuyer(held, sale, sales.market)).toBe('done')
    await sales.fulfil(await sales.saleArgs(sale))
    await sales.mint(held.holder, PROMISED)
    expect(await payBuyer(held, sale, sales.market)).toBe('NotOwner')
  })

  test('or the sale is undone, whatever the account says', async () => {
    // Returns its first word to every call, and pays nothing.
    const silent = await place(testChain(), '0x60005460005260206000f3')
    await sales.mint(silent, PROMISED)
    const sale = await sales.newSale({ holder: silent, minHolderUsdc: PROMISED })
    expect(await sales.attempt(await sales.saleArgs(sale))).toBe('HolderEmptied')
    expect(await sales.balanceOf(sale.buyer.address)).toBe(PRICE)
  })
})
