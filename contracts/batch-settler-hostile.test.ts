import { type Abi, type Address, encodeFunctionData, zeroAddress } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import {
  pullCall,
  type SignedAuthorization,
  settleCall,
} from '../packages/service/src/chain/relay/batch/contract.ts'
import { freshAccount, testChain } from '../packages/service/test/world/chain.ts'
import * as batches from './batches.ts'
import { DOLLAR, failed, NO_REASON, notTried, pullOf, settled } from './batches.ts'
import settlerArtifact from './build/BatchSettler.json' with { type: 'json' }
import hostileArtifact from './build/HostileToken.json' with { type: 'json' }
import { type Contract, newContract, newSigner, sendCall } from './token.ts'

/** The hostile token checks no signature, so any domain will do. */
const DOMAIN = { name: '', version: '', chainId: 1, verifyingContract: zeroAddress } as const
const ROOM_TO_REENTER = 2_000_000n
/** The revert text of a token that reverts with 100,000 zero bytes. */
const ZEROS = 'the error 0x00000000, which has no words here'

let settler: Contract
let admin: Address
const operator = newSigner().address
const mallory = newSigner()

beforeAll(async () => {
  admin = (await freshAccount()).address
  settler = await newContract(testChain(), settlerArtifact, [operator])
})

const MANNERS = [
  'Honest',
  'AnswersFalse',
  'AnswersNothing',
  'AnswersTwo',
  'BurnsGas',
  'RevertsAtLength',
  'AnswersAtLength',
  'Reenters',
  'SaysNothing',
] as const
type Manner = (typeof MANNERS)[number]

/** A hostile token, with a payer for each of these manners. */
async function newHostileToken(...manners: Manner[]) {
  const hostile = await newContract(testChain(), hostileArtifact)
  const payers: Address[] = []
  for (const manner of manners) {
    const payer = newSigner().address
    payers.push(payer)
    const args = [payer, MANNERS.indexOf(manner)]
    await hostile.send({ from: admin, functionName: 'setManner', args })
  }
  return { hostile, payers }
}

const authorize = (from: Address): Promise<SignedAuthorization> =>
  batches.authorize({ domain: DOMAIN }, mallory.privateKey, { from })

test('burns its own items’ gas and no other’s', async () => {
  const { hostile, payers } = await newHostileToken(
    'Honest',
    'BurnsGas',
    'RevertsAtLength',
    'AnswersAtLength',
    'Honest',
  )
  const items = await Promise.all(payers.map(authorize))
  const parties = { by: settler, of: hostile, from: operator }
  const { results, receipt } = await batches.settle(items, parties)
  expect(results).toEqual([settled, failed(NO_REASON), failed(ZEROS), settled, settled])
  expect(receipt.gasUsed).toBeLessThan(600_000n)
})

test('burns one item after the other until the gas is gone, and the rest can be sent again', async () => {
  const { hostile, payers } = await newHostileToken('BurnsGas', 'Honest')
  const [burner, honest] = payers as [Address, Address]
  const whose = Array.from({ length: 100 }, (_, i) => (i < 80 ? burner : honest))
  const items = await Promise.all(whose.map(authorize))
  const parties = { by: settler, of: hostile, from: operator }
  const { results, receipt } = await batches.settle(items, parties)
  const stoppedAt = results.findIndex(({ state }) => state === 'not_tried')
  expect(stoppedAt).toBeGreaterThan(40)
  expect(receipt.status).toBe('success')
  expect(results).toEqual(whose.map((_, i) => (i < stoppedAt ? failed(NO_REASON) : notTried)))
  const again = await batches.settle(items.slice(80), parties)
  expect(again.results).toEqual(Array.from({ length: 20 }, () => settled))
})

test('has not settled what it took without recording it', async () => {
  const { hostile, payers } = await newHostileToken('SaysNothing')
  const parties = { by: settler, of: hostile, from: operator }
  const { results } = await batches.settle(await Promise.all(payers.map(authorize)), parties)
  expect(results).toEqual([failed('the token took the call, but did not record it')])
})

test('does not get in again, as a stranger or as the operator', async () => {
  const { hostile, payers } = await newHostileToken('Reenters')
  const [from] = payers as [Address]
  const item = await authorize(from)
  const own = await newContract(testChain(), settlerArtifact, [hostile.address])
  const inner = pullOf({ from, to: mallory.address })
  const reentries = [
    settleCall(settler.address, hostile.address, [item]),
    pullCall(settler.address, hostile.address, [inner]),
    settleCall(own.address, hostile.address, [item]),
    pullCall(own.address, hostile.address, [inner]),
  ]
  for (const { to, data } of reentries) {
    await hostile.send({ from: admin, functionName: 'setReentry', args: [to, data] })
    const by = to === own.address ? own : settler
    const parties = { by, of: hostile, from: operator, gasPerItem: ROOM_TO_REENTER }
    expect((await batches.settle([item], parties)).results).toEqual([settled])
    expect(await hostile.read('hasReentered')).toBe(false)
  }
  // The same as the operator, from within its own pull.
  const outer = pullOf({ from })
  const { data } = pullCall(own.address, hostile.address, [outer], ROOM_TO_REENTER)
  const forward = encodeFunctionData({
    abi: hostileArtifact.abi as Abi,
    functionName: 'forward',
    args: [own.address, data],
  })
  const call = { from: admin, to: hostile.address, data: forward, gas: 2n * ROOM_TO_REENTER }
  expect((await sendCall(testChain(), call)).status).toBe('success')
  expect(await hostile.read('balanceOf', outer.to)).toBe(DOLLAR)
  expect(await hostile.read('hasReentered')).toBe(false)
  expect(await hostile.read('balanceOf', mallory.address)).toBe(0n)
})

test('that answers false has not moved money; one that answers nothing has', async () => {
  const { hostile, payers } = await newHostileToken(
    'Honest',
    'AnswersFalse',
    'AnswersNothing',
    'AnswersTwo',
    'BurnsGas',
    'RevertsAtLength',
    'AnswersAtLength',
  )
  const items = payers.map((from) => pullOf({ from }))
  const parties = { by: settler, of: hostile, from: operator }
  const { results, receipt } = await batches.pull(items, parties)
  expect(results).toEqual([
    settled,
    failed('the token answered false'),
    settled,
    failed('the token answered false'),
    failed(NO_REASON),
    failed(ZEROS),
    settled,
  ])
  const used = await Promise.all(items.map(({ ref }) => settler.read('pulled', ref)))
  expect(used).toEqual(results.map(({ state }) => state === 'settled'))
  expect(receipt.gasUsed).toBeLessThan(900_000n)
})
