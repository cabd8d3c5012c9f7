import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshAccount } from '../packages/service/test/world/chain.ts'
import { type Failure, TILLS, type TillName } from './failures.ts'
import { PRICE } from './parties/servers.ts'
import { type Deviation, openTill, type Till } from './parties/tills.ts'
import { expectBooksToMatch, openStage, type Stage } from './stage.ts'

const FUNDS = 1_000_000n
const TEST_MS = 900_000
const DUPLICATES = 10

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
}, TEST_MS)
afterAll(() => stage[Symbol.asyncDispose]())

describe.each(TILLS)('%s', (name) => {
  const cases = Object.entries(HERE) as [Failure, Case][]
  test.each(cases)('%s', { timeout: TEST_MS }, async (_, run) => {
    const till = await openTill[name](stage)
    const payer = await freshAccount({ usdc: FUNDS })
    await run({ name, till, payer })
    expect(await stage.w.faults()).toEqual([])
  })
})

test(
  'when all is final, the treasury holds on chain what the books say, to the unit',
  {
    timeout: TEST_MS,
  },
  () => expectBooksToMatch(stage),
)

const isFacilitator = (name: TillName): boolean => name.startsWith('facilitator')

type Case = (of: { name: TillName; till: Till; payer: PrivateKeyAccount }) => Promise<void>

const stranger = privateKeyToAccount(generatePrivateKey()).address

/** The failures tested on the run's chain. Those that need their own chain or process have their own files. */
const HERE: Record<Exclude<Failure, 'pending' | 'restart'>, Case> = {
  async replay({ name, till, payer }) {
    const signed = await till.sign(payer)
    const first = await till.present(signed)
    expect(first.outcome).toBe('settled')
    const again = await till.present(signed)
    if (isFacilitator(name)) expect(again).toMatchObject(DUPLICATE)
    else expect(again).toEqual(first)
    await till.expectPaid(1)
  },
  async duplicates({ name, till, payer }) {
    const signed = await till.sign(payer)
    const answers = await Promise.all(
      Array.from({ length: DUPLICATES }, () => till.present(signed)),
    )
    const settled = answers.filter(({ outcome }) => outcome === 'settled')
    // A buyer who presents a payment to a link again gets the receipt. A second seller must not get `success`.
    expect(settled).toHaveLength(isFacilitator(name) ? 1 : DUPLICATES)
    expect(new Set(settled.map(({ receipt }) => receipt)).size).toBe(1)
    await till.expectPaid(1)
  },
  expired: (of) =>
    expectRefusal(
      of,
      { authorization: { validBefore: 1_000n } },
      /authorization_valid_before$|^permit2_deadline_expired$/,
    ),
  async 'wrong amount'(of) {
    await expectRefusal(of, { authorization: { value: PRICE - 1n } }, /(?:value|amount)_mismatch$/)
    const less = { authorization: { value: 1n }, terms: { amount: '1' } }
    await expectRefusal(of, less, /(?:value|amount)_mismatch$|^invalid_payment_requirements$/)
  },
  async 'wrong recipient'(of) {
    await expectRefusal(of, { authorization: { to: stranger } }, /recipient_mismatch$/)
    const other = { authorization: { to: stranger }, terms: { payTo: stranger } }
    await expectRefusal(of, other, /recipient_mismatch$|^invalid_payment_requirements$/)
  },
  'wrong network': (of) =>
    expectRefusal(
      of,
      { terms: { network: 'eip155:8453' } },
      /network_mismatch$|^invalid_network$|^invalid_payment_requirements$/,
    ),
  async drained({ till, payer }) {
    const signed = await till.sign(payer)
    await till.drain(payer)
    const reason = expect.stringMatching(/_insufficient_balance$|^payment-insufficient$/)
    expect(await till.present(signed)).toMatchObject({ outcome: 'refused', reason })
    await till.expectPaid(0)
  },
  async 'front-run'({ till, payer }) {
    const signed = await till.sign(payer)
    await till.carry(signed)
    expect((await till.present(signed)).outcome).toBe('settled')
    // The watcher sees the same transfer at the link's address, and must not credit it again.
    await stage.w.safe()
    await stage.w.runJobs()
    await till.expectPaid(1)
    await till.present(signed)
    await till.expectPaid(1)
  },
}

const OF_MPP = /^(verification-failed|invalid-challenge|payment-expired)$/
const DUPLICATE = { outcome: 'refused', reason: 'duplicate_settlement' }

/** `reason` is x402's; MPP's problem document says less. */
async function expectRefusal(
  { name, till, payer }: Parameters<Case>[0],
  deviation: Deviation,
  reason: RegExp,
): Promise<void> {
  const answer = await till.present(await till.sign(payer, deviation))
  const expected = name === 'pay link by MPP' ? OF_MPP : reason
  expect(answer).toMatchObject({ outcome: 'refused', reason: expect.stringMatching(expected) })
  await till.expectPaid(0)
}
