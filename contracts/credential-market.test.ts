import { getAddress, parseEventLogs, zeroAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import marketArtifact from './build/CredentialMarket.json' with { type: 'json' }
import { expectGas } from './gas.ts'
import {
  DOLLAR,
  FEE_BPS,
  hashApproval,
  hashListing,
  LATER,
  marketAbi,
  type Payment,
  PRICE,
  pay,
  signListing,
} from './listings.ts'
import { type Change, openSales, type Sales } from './sales.ts'
import { newSigner, signMessage } from './token.ts'

const WRONG_SIGNATURE = 'FiatTokenV2: invalid signature'
const FEE = (PRICE * BigInt(FEE_BPS)) / 10_000n
const SOLD = 1

let sales: Sales
const mallory = newSigner()

beforeAll(async () => {
  sales = await openSales()
})

test('gives the token to the buyer, the price less the fee to the seller, and the fee to its receiver', async () => {
  const sale = await sales.newSale()
  const { listing, buyer } = sale
  const receipt = await sales.fulfil(await sales.saleArgs(sale))
  expect(await sales.ownerOf(listing)).toBe(buyer.address)
  expect(await sales.balanceOf(listing.seller)).toBe(PRICE - FEE)
  expect(await sales.balanceOf(listing.feeReceiver)).toBe(FEE)
  expect(await sales.balanceOf(buyer.address)).toBe(0n)
  expect(await sales.balanceOf(sales.market.address)).toBe(0n)
  expect(await sales.stateOf(listing)).toBe(SOLD)
  const [sold] = parseEventLogs({ abi: marketAbi, logs: receipt.logs, eventName: 'Sold' })
  expect(sold).toMatchObject({
    address: sales.market.address.toLowerCase(),
    args: {
      listingHash: hashListing(sales.market.address, listing),
      registry: getAddress(sales.registry.address),
      tokenId: listing.tokenId,
      seller: listing.seller,
      buyer: buyer.address,
      price: PRICE,
      fee: FEE,
    },
  })
})

test('divides every price to the unit', async () => {
  const terms = [
    { price: 1n, feeBps: 999 },
    { price: 10n, feeBps: 1_000 },
    { price: 3n, feeBps: 0, feeReceiver: zeroAddress },
    { price: 1_234_567n, feeBps: 77 },
  ]
  for (const one of terms) {
    const sale = await sales.newSale(one)
    await sales.fulfil(await sales.saleArgs(sale))
    const fee = (one.price * BigInt(one.feeBps)) / 10_000n
    expect(await sales.balanceOf(sale.listing.seller)).toBe(one.price - fee)
    expect(await sales.balanceOf(sale.listing.feeReceiver)).toBe(fee)
    expect(await sales.balanceOf(sales.market.address)).toBe(0n)
  }
})

describe('once', () => {
  test('it does not matter who relays, or how often: the second gets nothing, and no sale is lost', async () => {
    const sale = await sales.newSale()
    const args = await sales.saleArgs(sale)
    await sales.fulfil(args, newSigner().address)
    expect(await sales.attempt(args)).toBe('AlreadySold')
    expect(await sales.balanceOf(sale.listing.seller)).toBe(PRICE - FEE)
  })

  test('a seller who has the token back cannot be made to sell it again', async () => {
    const sale = await sales.newSale()
    const { listing, buyer } = sale
    await sales.fulfil(await sales.saleArgs(sale))
    const args = [buyer.address, listing.seller, listing.tokenId]
    await sales.registry.send({ from: buyer.address, functionName: 'transferFrom', args })
    const second = { ...sale, buyer: await sales.newBuyer() }
    expect(await sales.attempt(await sales.saleArgs(second))).toBe('AlreadySold')
    const again = { ...second, listing: { ...listing, nonce: 2n } }
    expect(await sales.attempt(await sales.saleArgs(again))).toBe('done')
  })

  test('of two buyers one gets the token, and the other keeps the money', async () => {
    const sale = await sales.newSale()
    const other = { ...sale, buyer: await sales.newBuyer() }
    await sales.fulfil(await sales.saleArgs(other))
    expect(await sales.attempt(await sales.saleArgs(sale))).toBe('AlreadySold')
    expect(await sales.balanceOf(sale.buyer.address)).toBe(PRICE)
    expect(await sales.ownerOf(sale.listing)).toBe(other.buyer.address)
  })
})

describe('the buyer’s authorization', () => {
  test('pays the price of this listing to this contract, and nothing else', async () => {
    const sale = await sales.newSale()
    const { listing, buyer } = sale
    const elsewhere = { ...listing, price: listing.price - 1n }
    const bad: [Partial<Payment>, string][] = [
      [{ value: PRICE - 1n }, WRONG_SIGNATURE],
      [{ value: PRICE + 1n }, WRONG_SIGNATURE],
      [{ to: mallory.address }, WRONG_SIGNATURE],
      [{ from: mallory.address }, WRONG_SIGNATURE],
      [{ nonce: hashListing(sales.market.address, elsewhere) }, WRONG_SIGNATURE],
      [{ nonce: hashListing(mallory.address, listing) }, WRONG_SIGNATURE],
      [{ validBefore: 1n }, 'FiatTokenV2: authorization is expired'],
      [{ validAfter: LATER }, 'FiatTokenV2: authorization is not yet valid'],
    ]
    for (const [payment, reason] of bad) expect(await sales.refusal(sale, { payment })).toBe(reason)
    await sales.usdc.send({
      from: buyer.address,
      functionName: 'transfer',
      args: [mallory.address, 1n],
    })
    const poor = await sales.attempt(await sales.saleArgs(sale))
    expect(poor).toBe('ERC20: transfer amount exceeds balance')
  })

  test('buys for its payer alone', async () => {
    const sale = await sales.newSale()
    await sales.mint(mallory.address, PRICE)
    expect(await sales.refusal(sale, { receiver: mallory.address })).toBe(WRONG_SIGNATURE)
  })

  test('buys no listing of somebody else who saw it', async () => {
    const sale = await sales.newSale()
    const { signature } = await pay(sales, sale.listing, sale.buyer)
    const other = await sales.offer()
    const sellerSignature = await signListing(
      sales.market.address,
      other.listing,
      other.seller.privateKey,
    )
    const args = [other.listing, sellerSignature, sale.buyer.address, 0n, LATER, signature, '0x']
    expect(await sales.attempt(args)).toBe(WRONG_SIGNATURE)
  })

  test('cannot be taken out of the sale and spent alone', async () => {
    const sale = await sales.newSale()
    const { payment } = await pay(sales, sale.listing, sale.buyer)
    const type = 'ReceiveWithAuthorization'
    const signed = await signMessage(sales.usdc, sale.buyer.privateKey, type, payment)
    for (const functionName of ['receiveWithAuthorization', 'transferWithAuthorization'])
      for (const args of [signed.asBytes, signed.asParts])
        expect(await sales.usdc.attempt({ from: mallory.address, functionName, args })).toBe(
          functionName === 'receiveWithAuthorization'
            ? 'FiatTokenV2: caller must be the payee'
            : WRONG_SIGNATURE,
        )
    expect(await sales.attempt(await sales.saleArgs(sale))).toBe('done')
  })

  test('is worth nothing once its payer has cancelled it', async () => {
    const sale = await sales.newSale()
    const message = {
      authorizer: sale.buyer.address,
      nonce: hashListing(sales.market.address, sale.listing),
    }
    const key = sale.buyer.privateKey
    const { asBytes } = await signMessage(sales.usdc, key, 'CancelAuthorization', message)
    await sales.usdc.send({ from: sales.admin, functionName: 'cancelAuthorization', args: asBytes })
    expect(await sales.attempt(await sales.saleArgs(sale))).toBe(
      'FiatTokenV2: authorization is used or canceled',
    )
  })
})

test('money that the token refuses to move leaves everything as it was', async () => {
  const sale = await sales.newSale()
  const args = await sales.saleArgs(sale)
  for (const account of [sale.listing.seller, sale.listing.feeReceiver, sale.buyer.address]) {
    await sales.usdc.send({ from: sales.admin, functionName: 'blacklist', args: [account] })
    expect(await sales.attempt(args)).toBe('Blacklistable: account is blacklisted')
    await sales.usdc.send({ from: sales.admin, functionName: 'unBlacklist', args: [account] })
  }
  await sales.usdc.send({ from: sales.admin, functionName: 'pause', args: [] })
  const paused = await sales.attempt(args)
  await sales.usdc.send({ from: sales.admin, functionName: 'unpause', args: [] })
  expect(paused).toBe('Pausable: paused')
  expect(await sales.attempt(args)).toBe('done')
})

test('nobody owns it: it has no function but these', () => {
  const functions = marketArtifact.abi.filter(({ type }) => type === 'function')
  expect(functions.map(({ name, stateMutability }) => `${name} ${stateMutability}`)).toEqual([
    'APPROVAL_TYPEHASH view',
    'LISTING_TYPEHASH view',
    'MAX_FEE_BPS view',
    'cancel nonpayable',
    'eip712Domain view',
    'fulfil nonpayable',
    'hashApproval view',
    'hashListing view',
    'stateOf view',
    'usdc view',
  ])
})

test('the hash is that of EIP-712', async () => {
  const { listing } = await sales.offer({ holder: mallory.address, minHolderUsdc: 7n })
  expect(await sales.market.read('hashListing', listing)).toBe(
    hashListing(sales.market.address, listing),
  )
  const approval = {
    listingHash: hashListing(sales.market.address, listing),
    buyer: mallory.address,
    validBefore: 9n,
  }
  expect(await sales.market.read('hashApproval', ...Object.values(approval))).toBe(
    hashApproval(sales.market.address, approval),
  )
})

describe('the operator', () => {
  const NOT_APPROVED = 'CredentialMarket: not approved'

  test('approves one buyer of one listing, until one time, and nobody else can', async () => {
    const sale = await sales.newSale()
    const elsewhere = hashListing(mallory.address, sale.listing)
    const bad: Change[] = [
      { operator: mallory },
      { operator: sale.seller },
      { operator: sale.buyer },
      { approval: { buyer: mallory.address } },
      { approval: { listingHash: elsewhere } },
      { approval: { validBefore: LATER + 1n } },
      { approval: { validBefore: LATER - 1n } },
    ]
    for (const change of bad) expect(await sales.refusal(sale, change)).toBe(NOT_APPROVED)
    const args = await sales.saleArgs(sale)
    for (const approval of ['0x', args[1], args[5]])
      expect(await sales.attempt([...args.slice(0, 6), approval])).toBe(NOT_APPROVED)
    expect(await sales.balanceOf(sale.buyer.address)).toBe(PRICE)
  })

  test('keeps a stranger from buying with the public signature of a seller', async () => {
    const sale = await sales.newSale()
    // A sale that reverts shows all that the seller has signed.
    const poor = { ...sale, buyer: await sales.newBuyer(PRICE - 1n) }
    const shown = await sales.saleArgs(poor)
    expect(await sales.attempt(shown)).toBe('ERC20: transfer amount exceeds balance')
    const stranger = await sales.newBuyer()
    const own = await sales.saleArgs({ ...sale, buyer: stranger }, { operator: stranger })
    expect(await sales.attempt(own)).toBe(NOT_APPROVED)
    expect(await sales.attempt([...own.slice(0, 6), shown[6]])).toBe(NOT_APPROVED)
    expect(await sales.balanceOf(stranger.address)).toBe(PRICE)
    expect(await sales.ownerOf(sale.listing)).toBe(sale.listing.seller)
  })

  test('has no part in any other refusal, so a sale can be tried without it', async () => {
    const sale = await sales.newSale()
    const args = async (change: Change) => [
      ...(await sales.saleArgs(sale, change)).slice(0, 6),
      '0x',
    ]
    expect(await sales.attempt(await args({}))).toBe(NOT_APPROVED)
    expect(await sales.attempt(await args({ payment: { value: 1n } }))).toBe(WRONG_SIGNATURE)
  })

  test('that is nobody approves nothing', async () => {
    const sale = await sales.newSale({ operator: zeroAddress })
    expect(await sales.attempt(await sales.saleArgs(sale))).toBe(NOT_APPROVED)
  })
})

test('a sale costs the gas that it cost before', async () => {
  const holder = newSigner().address
  await sales.mint(holder, DOLLAR)
  const plain = await sales.fulfil(await sales.saleArgs(await sales.newSale()))
  const checked = await sales.fulfil(
    await sales.saleArgs(await sales.newSale({ holder, minHolderUsdc: DOLLAR })),
  )
  const cancelled = await sales.offer()
  const cancel = await sales.market.send({
    from: cancelled.listing.seller,
    functionName: 'cancel',
    args: [cancelled.listing],
  })
  const measured: Record<string, number> = {
    fulfil: Number(plain.gasUsed),
    fulfilWithHolder: Number(checked.gasUsed),
    cancel: Number(cancel.gasUsed),
  }
  expectGas('CredentialMarket', measured)
})
