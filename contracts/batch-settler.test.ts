import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  batchSettlerAbi,
  type ItemResult,
  type Pull,
  type SignedAuthorization,
} from '../packages/service/src/chain/relay/batch/contract.ts'
import { freshAccount, testChain } from '../packages/service/test/world/chain.ts'
import * as batches from './batches.ts'
import { DOLLAR, FOR_EVER, failed, notTried, settled } from './batches.ts'
import settlerArtifact from './build/BatchSettler.json' with { type: 'json' }
import hostileArtifact from './build/HostileToken.json' with { type: 'json' }
import { expectGas } from './gas.ts'
import {
  type Contract,
  newContract,
  newSigner,
  newToken,
  newWallet,
  type Signer,
  sendCall,
  signMessage,
  type Token,
} from './token.ts'

const USED = 'FiatTokenV2: authorization is used or canceled'
const BLACKLISTED = 'Blacklistable: account is blacklisted'

let token: Token
let settler: Contract
let admin: Hex
const alice = newSigner()
const mallory = newSigner()
/** The sender of every batch, and the only account that may pull. */
const operator = newSigner().address

beforeAll(async () => {
  admin = (await freshAccount()).address
  token = await newToken(testChain(), admin)
  await act('configureMinter', [admin, 2n ** 128n])
  await act('mint', [alice.address, 1_000n * DOLLAR])
  settler = await newContract(testChain(), settlerArtifact, [operator])
  await act('approve', [settler.address, 1_000n * DOLLAR], alice.address)
})

const act = (functionName: string, args: unknown[], from: Hex = admin) =>
  token.send({ from, functionName, args })
const balanceOf = (account: Address) => token.read('balanceOf', account)

const authorize = (terms: batches.Terms = {}, key = alice.privateKey) =>
  batches.authorize(token, key, { from: alice.address, ...terms })
const pullOf = (terms: Partial<Pull> = {}) => batches.pullOf({ from: alice.address, ...terms })

const settle = (items: SignedAuthorization[], options: { gas?: bigint } = {}) =>
  batches.settle(items, { by: settler, of: token, from: operator, ...options })
const pull = (items: Pull[], options: { gas?: bigint; from?: Address; of?: Contract } = {}) =>
  batches.pull(items, { by: settler, of: token, from: operator, ...options })

async function outlaw(): Promise<Signer> {
  const listed = newSigner()
  await act('mint', [listed.address, DOLLAR])
  await act('approve', [settler.address, DOLLAR], listed.address)
  await act('blacklist', [listed.address])
  return listed
}

async function cancelled(): Promise<SignedAuthorization> {
  const item = await authorize()
  const { from: authorizer, nonce } = item.authorization
  const message = { authorizer, nonce }
  const cancel = await signMessage(token, alice.privateKey, 'CancelAuthorization', message)
  await act('cancelAuthorization', cancel.asBytes)
  return item
}

describe('settle', () => {
  test('settles the good among every kind of bad, and names each bad one', async () => {
    const listed = await outlaw()
    const bad: [string, SignedAuthorization][] = [
      ['FiatTokenV2: invalid signature', await authorize({}, mallory.privateKey)],
      ['FiatTokenV2: authorization is expired', await authorize({ validBefore: 1n })],
      ['FiatTokenV2: authorization is not yet valid', await authorize({ validAfter: FOR_EVER })],
      [
        'ERC20: transfer amount exceeds balance',
        await authorize({ from: mallory.address }, mallory.privateKey),
      ],
      ['ERC20: transfer to the zero address', await authorize({ to: zeroAddress })],
      [USED, await cancelled()],
      [BLACKLISTED, await authorize({ from: listed.address }, listed.privateKey)],
      [BLACKLISTED, await authorize({ to: listed.address })],
      ['ECRecover: invalid signature length', { ...(await authorize()), signature: '0x1234' }],
    ]
    const items: SignedAuthorization[] = []
    const expected: ItemResult[] = []
    for (const [reason, item] of bad) {
      items.push(await authorize(), item)
      expected.push(settled, failed(reason))
    }
    const { results } = await settle(items)
    expect(results).toEqual(expected)
    for (const { authorization } of items.filter((_, i) => i % 2 === 0))
      expect(await balanceOf(authorization.to)).toBe(DOLLAR)
  })

  test('a batch sent again moves nothing', async () => {
    const items = [await authorize(), await authorize()]
    expect((await settle(items)).results).toEqual([settled, settled])
    const before = await balanceOf(alice.address)
    expect((await settle(items)).results).toEqual([failed(USED), failed(USED)])
    expect(await balanceOf(alice.address)).toBe(before)
  })

  test('an item that a stranger ran ahead with is named, its money is where it should be, the rest settle', async () => {
    const items = [await authorize(), await authorize(), await authorize()]
    const taken = items[1]!
    const { from, to, value, validAfter, validBefore, nonce } = taken.authorization
    const args = [from, to, value, validAfter, validBefore, nonce, taken.signature]
    await act('transferWithAuthorization', args, mallory.address)
    expect((await settle(items)).results).toEqual([settled, failed(USED), settled])
    expect(await balanceOf(to)).toBe(DOLLAR)
  })

  test('the same item twice in a batch settles once', async () => {
    const item = await authorize()
    expect((await settle([item, item])).results).toEqual([settled, failed(USED)])
    expect(await balanceOf(item.authorization.to)).toBe(DOLLAR)
  })

  test('nobody gains by changing what a payer signed', async () => {
    const item = await authorize()
    const changes: batches.Terms[] = [
      { to: mallory.address },
      { value: 2n * DOLLAR },
      { validAfter: 1n },
    ]
    const items = changes.map((change) => ({
      ...item,
      authorization: { ...item.authorization, ...change },
    }))
    const { results } = await settle(items)
    expect(results).toEqual(items.map(() => failed('FiatTokenV2: invalid signature')))
  })

  test('a payer with code pays by what its owner signs', async () => {
    const owner = newSigner()
    const from = await newWallet(testChain().rpcUrl, owner.address)
    await act('mint', [from, DOLLAR])
    const good = await authorize({ from }, owner.privateKey)
    const long: SignedAuthorization = { ...good, signature: `${good.signature}00` }
    const { results } = await settle([long, good])
    expect(results).toEqual([failed('FiatTokenV2: invalid signature'), settled])
  })

  test('a signature that says 0 or 1 for 27 or 28 is taken', async () => {
    const item = await authorize()
    const v = item.signature.endsWith('1b') ? '00' : '01'
    const signature: Hex = `0x${item.signature.slice(2, -2)}${v}`
    expect((await settle([{ ...item, signature }])).results).toEqual([settled])
  })

  test('a paused token refuses each item and loses none', async () => {
    const items = [await authorize(), await authorize()]
    await act('pause', [])
    const refused = await settle(items)
    await act('unpause', [])
    expect(refused.results).toEqual([failed('Pausable: paused'), failed('Pausable: paused')])
    expect((await settle(items)).results).toEqual([settled, settled])
  })

  test('an empty batch does nothing', async () => {
    const data = encodeFunctionData({
      abi: batchSettlerAbi,
      functionName: 'settle',
      args: [token.address, 100_000n, []],
    })
    const receipt = await sendCall(testChain(), { from: operator, to: settler.address, data })
    expect(receipt).toMatchObject({ status: 'success', logs: [] })
  })

  test('an address without code is no token', async () => {
    const args = [mallory.address, 100_000n, []]
    const refusals = ['settle', 'pull'].map((functionName) =>
      settler.attempt({ from: operator, functionName, args }),
    )
    expect(await Promise.all(refusals)).toEqual(['NotAToken', 'NotAToken'])
  })

  test('gas that does not reach for all settles the first and says where it stopped', async () => {
    const items = await Promise.all(Array.from({ length: 8 }, () => authorize()))
    const first = await settle(items, { gas: 500_000n })
    const done = first.results.filter(({ state }) => state === 'settled').length
    expect(done).toBeGreaterThan(1)
    expect(done).toBeLessThan(8)
    expect(first.results).toEqual(items.map((_, i) => (i < done ? settled : notTried)))
    const rest = await settle(items.slice(done))
    expect(rest.results).toEqual(items.slice(done).map(() => settled))
  })

  test('gas for less than one item tries none', async () => {
    expect((await settle([await authorize()], { gas: 150_000n })).results).toEqual([notTried])
  })
})

describe('pull', () => {
  test('moves allowed money, and names what it could not move', async () => {
    const listed = await outlaw()
    await act('mint', [mallory.address, DOLLAR])
    const items = [
      pullOf(),
      pullOf({ from: listed.address }),
      pullOf({ to: listed.address }),
      pullOf({ from: mallory.address }),
      pullOf({ value: 10n ** 12n }),
      pullOf(),
    ]
    const { results } = await pull(items)
    expect(results).toEqual([
      settled,
      failed(BLACKLISTED),
      failed(BLACKLISTED),
      failed('ERC20: transfer amount exceeds allowance'),
      failed('ERC20: transfer amount exceeds allowance'),
      settled,
    ])
    expect(await balanceOf(items[0]!.to)).toBe(DOLLAR)
    expect(await balanceOf(items[5]!.to)).toBe(DOLLAR)
  })

  test('happens once for a reference: in a batch, in a later one, and whatever else it says', async () => {
    const item = pullOf()
    const used = failed('the reference has moved money before')
    expect((await pull([item, item])).results).toEqual([settled, used])
    const other = { ...pullOf(), ref: item.ref }
    expect((await pull([item, other])).results).toEqual([used, used])
    const elsewhere = await newContract(testChain(), hostileArtifact)
    expect((await pull([item], { of: elsewhere })).results).toEqual([used])
    expect(await balanceOf(item.to)).toBe(DOLLAR)
    expect(await balanceOf(other.to)).toBe(0n)
  })

  test('that failed leaves its reference for another try', async () => {
    const items = [pullOf(), pullOf()]
    await act('pause', [])
    const refused = await pull(items)
    await act('unpause', [])
    expect(refused.results).toEqual([failed('Pausable: paused'), failed('Pausable: paused')])
    expect((await pull(items)).results).toEqual([settled, settled])
  })

  test('is for the operator alone', async () => {
    const item = pullOf({ to: mallory.address })
    const before = await balanceOf(mallory.address)
    for (const from of [mallory.address, alice.address, admin]) {
      const args = [token.address, 100_000n, [item]]
      expect(await settler.attempt({ from, functionName: 'pull', args })).toBe('NotOperator')
      const { receipt, results } = await pull([item], { from })
      expect(receipt.status).toBe('reverted')
      expect(results).toEqual([notTried])
    }
    expect(await balanceOf(mallory.address)).toBe(before)
  })

  test('stops where the gas ends, and leaves the rest untouched', async () => {
    const items = Array.from({ length: 8 }, () => pullOf())
    const { results } = await pull(items, { gas: 500_000n })
    const done = results.filter(({ state }) => state === 'settled').length
    expect(results).toEqual(items.map((_, i) => (i < done ? settled : notTried)))
    expect((await pull(items.slice(done))).results).toEqual(items.slice(done).map(() => settled))
  })
})

test('nobody owns it: it has no function but these', () => {
  const functions = settlerArtifact.abi.filter(({ type }) => type === 'function')
  expect(functions.map(({ name, stateMutability }) => `${name} ${stateMutability}`)).toEqual([
    'operator view',
    'pull nonpayable',
    'pulled view',
    'settle nonpayable',
  ])
})

test('1, 10 and 100 items cost the gas that they cost before, and less than is asked for them', async () => {
  const measured: Record<string, number> = {}
  const measure = (name: string, sent: Awaited<ReturnType<typeof settle>>) => {
    expect(new Set(sent.results.map(({ state }) => state))).toEqual(new Set(['settled']))
    expect(Number(sent.receipt.gasUsed)).toBeLessThan(Number(sent.limit))
    measured[name] = Number(sent.receipt.gasUsed)
  }
  for (const count of [1, 10, 100]) {
    // Each payer pays once and each payee holds nothing yet, so no storage is warm: the most expensive case.
    const payers = Array.from({ length: count }, newSigner)
    const funded = payers.map(({ address: to }) => authorize({ to, value: 2n * DOLLAR }))
    await settle(await Promise.all(funded))
    const items = payers.map((payer) => authorize({ from: payer.address }, payer.privateKey))
    measure(`settle${count}`, await settle(await Promise.all(items)))
    measure(`pull${count}`, await pull(Array.from({ length: count }, () => pullOf())))
  }
  expectGas('BatchSettler', measured)
})
