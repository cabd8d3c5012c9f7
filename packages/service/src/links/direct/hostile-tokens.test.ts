/**
 * Tokens that turn against payer or seller after they were registered. The seller is shown what its balance confirms, and a
 * payment that brought nothing is not counted.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DirectSeller,
  directSeller,
  present,
  x402Payer,
} from '../../../test/actors/direct/direct-kit.ts'
import { approve, registerToken } from '../../../test/actors/permit2-kit.ts'
import { type Manner, newToken, type TestToken } from '../../../test/actors/token-kit.ts'
import { type FaultyRpc, faultyRpc } from '../../../test/faults/faulty-rpc.ts'
import { freshAccount, testChain } from '../../../test/world/chain.ts'
import { type World, world } from '../../../test/world.ts'
import { readTokenBalance } from '../../chain/client/tokens/calls.ts'

let w: World
let node: FaultyRpc
let base: string
let s: DirectSeller
let token: TestToken
beforeAll(async () => {
  const { rpcUrl } = testChain()
  node = await faultyRpc(rpcUrl)
  w = await world({ on: { rpcUrl, rpcUrls: [node.url], mine: async () => {} } })
  await w.withGas()
  base = await w.listen()
  s = await directSeller(w)
  token = await newToken({ manner: 'Honest' })
  await token.mint(s.wallet, 1_000n * UNIT)
  await registerToken(s.seller, token.contract)
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
  await node[Symbol.asyncDispose]()
})

const UNIT = 10n ** 18n
const balance = async (of: TestToken = token) =>
  (await readTokenBalance(w.chain, of.contract, s.wallet)) ?? 0n

/** The payment of a new link of 100 tokens, signed while the token was honest. */
async function signedPayment(of: TestToken = token, amount: number | string = 100) {
  const link = await s.open({ asset: of.contract, amount })
  const payer = await freshAccount()
  await of.mint(payer.address, 10n ** 60n)
  await approve(payer, of.contract)
  const url = `${base}/pay/${link.code}`
  const header = await x402Payer(payer, of.contract).header(url)
  return { link, payer, pay: () => present(url, header) }
}

/** All that the seller is shown of what arrived, in base units. */
async function shownFor(code: string): Promise<bigint> {
  const settled = (await s.events('payment.settled')).filter(
    (one: any) => one.pay_link_code === code,
  )
  const odd = (await s.events('payment.exception')).filter((one: any) => one.pay_link_code === code)
  return [...settled, ...odd].reduce((sum, one) => sum + BigInt(one.amount_atomic), 0n)
}

/** A payment that the chain has not shown before its answer is ended by its job. */
async function end(): Promise<void> {
  await w.safe()
  await w.advance(60)
  await w.runJobs()
}

type Turned = { status: number; code: string; shown: bigint; link: { code: string } }

/** Has the token turn when the service sends its transaction, after all that it simulates. */
const turnOnSend = (manner: Manner) =>
  node.fault(async ({ method }, next) => {
    if (method !== 'eth_sendRawTransaction') return
    await token.setManner(manner)
    return next()
  })

/**
 * Pays by Permit2 in a token that has turned to this manner, or that does after the payment is simulated. What the seller
 * is shown is what its balance gained, and it is metered exactly if that is something.
 */
async function payAs(manner: Manner, when: 'before' | 'after the simulation'): Promise<Turned> {
  const { link, pay } = await signedPayment()
  const [before, used] = [await balance(), await s.used()]
  if (when === 'before') await token.setManner(manner)
  else turnOnSend(manner)
  const reply = await pay()
  const body = (await reply.json()) as any
  node.fault(undefined)
  await token.setManner('Honest')
  const gained = (await balance()) - before
  if (gained > 0n && (await shownFor(link.code)) === 0n) await end()
  const [shown, metered] = [await shownFor(link.code), (await s.used()) - used]
  expect(shown).toBe(gained > 0n ? gained : 0n)
  expect(metered).toBe(shown > 0n ? 1 : 0)
  return { status: reply.status, code: body.error ?? body.code, shown, link }
}

test.each([
  'TakesFee',
  'Rebases',
  'MovesNothing',
  'AnswersFalse',
  'Paused',
  'Refuses',
  'OnlyFree',
  'BurnsGas',
] as const)('%s: refused before it costs anybody anything', async (manner) => {
  const paid = await payAs(manner, 'before')
  expect([paid.status, paid.shown]).toEqual([402, 0n])
  const { status, uses } = (await w.call('GET', `/api/paylinks/${paid.link.code}`)).body
  expect([status, uses]).toEqual(['ACTIVE', 0])
})

test.each([
  ['Honest', 100n],
  ['TakesFee', 99n],
  ['Rebases', 0n],
  ['MovesNothing', 0n],
  ['AnswersFalse', 0n],
  ['Refuses', 0n],
] as const)('%s after the simulation: the seller is shown what came', async (manner, whole) => {
  const paid = await payAs(manner, 'after the simulation')
  expect(paid.code).not.toBe('permit2_simulation_failed')
  expect(paid.shown).toBe(whole * UNIT)
})

test('a blocked seller is paid nothing, and shown nothing', async () => {
  const { link, pay } = await signedPayment()
  await token.setBlacklisted(s.wallet)
  expect((await pay()).status).toBe(402)
  expect(await shownFor(link.code)).toBe(0n)
})

test('36 decimals are paid and shown to the unit; a token with more is not registered', async () => {
  const fine = await newToken({ decimals: 36, manner: 'Honest' })
  await fine.mint(s.wallet, 1n)
  await registerToken(s.seller, fine.contract)
  const units = 10n ** 36n + 1n
  const { link, pay } = await signedPayment(fine, `1.${'0'.repeat(35)}1`)
  const reply = await pay()
  expect([reply.status, ((await reply.json()) as any).amount_atomic]).toEqual([200, String(units)])
  expect(await shownFor(link.code)).toBe(units)
  expect(await balance(fine)).toBe(units + 1n)
  const { contract } = await newToken({ decimals: 77, manner: 'Honest' })
  await expect(registerToken(s.seller, contract)).rejects.toThrow('token_unreadable')
})
