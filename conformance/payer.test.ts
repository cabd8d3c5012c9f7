import type { FacilitatorClient } from '@x402/core/server'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readAssetBalance } from '../packages/service/src/chain/client/reads.ts'
import { cardOf, type Held, issue } from '../packages/service/test/actors/attack-kit.ts'
import type { Reply, User } from '../packages/service/test/world.ts'
import type { PayerFailure } from './failures.ts'
import { PROTOCOLS, type Protocol } from './matrix.ts'
import { openShop, PRICE } from './parties/servers.ts'
import { expectBooksToMatch, openStage, type Stage } from './stage.ts'

const TEST_MS = 900_000
const DUPLICATES = 10
/** The price and the platform's 0.5 %. */
const DEBIT_USD = 0.01005

let stage: Stage
let agent: User
beforeAll(async () => {
  // mppx logs the errors of its facilitator here; these tests cause such errors.
  vi.spyOn(console, 'error').mockReturnValue()
  stage = await openStage()
  agent = await stage.w.user({ treasury: 100 })
}, TEST_MS)
afterAll(async () => {
  vi.restoreAllMocks()
  await stage[Symbol.asyncDispose]()
})

type Settle = FacilitatorClient['settle']
type Case = {
  /** Changes the settling by the seller's facilitator. */
  settle(settle: Settle): Settle
  run(of: { card: Held; buy(): Promise<Reply> }): Promise<void>
  /** Whether the seller has its money in the end. */
  isTaken: boolean
}

const CASES: Record<PayerFailure, Case> = {
  duplicates: {
    settle: (settle) => settle,
    async run({ buy }) {
      const replies = await Promise.all(Array.from({ length: DUPLICATES }, buy))
      const paid = replies.filter(({ status }) => status === 200)
      expect(paid.length).toBeGreaterThan(0)
      for (const { status, body } of replies)
        if (status !== 200) expect([status, body.code]).toEqual([409, 'idempotency_in_progress'])
      expect(new Set(paid.map(({ body }) => body.transaction_id)).size).toBe(1)
    },
    isTaken: true,
  },
  'lost answer': {
    settle: (settle) => async (payload, requirements) => {
      await settle(payload, requirements)
      throw new Error('the answer was lost')
    },
    async run({ buy }) {
      const first = await buy()
      expect(first.body).toMatchObject({ success: true, settlement: { status: 'SETTLED' } })
      expect(first.body.response.status).toBeGreaterThanOrEqual(400)
      expect((await buy()).body.transaction_id).toBe(first.body.transaction_id)
    },
    isTaken: true,
  },
  'not taken': {
    settle:
      () =>
      async (_, { network }) => ({
        ...{ success: false, errorReason: 'unexpected_settle_error' },
        ...{ transaction: '', network },
      }),
    async run({ buy }) {
      const first = await buy()
      expect([first.status, first.body.code]).toEqual([202, 'outcome_unknown'])
      expect((await buy()).body.transaction_id).toBe(first.body.transaction_id)
    },
    isTaken: false,
  },
}

describe.each(PROTOCOLS)('by %s', (protocol) => {
  test.each(Object.entries(CASES))(
    '%s',
    { timeout: TEST_MS },
    async (_, { settle, run, isTaken }) => {
      const honest = stage.facilitators['@x402/core']
      const nonces = new Set<unknown>()
      const facilitator: FacilitatorClient = {
        ...honest,
        settle: (payload, requirements) => {
          nonces.add((payload.payload.authorization as { nonce: string }).nonce)
          return settle(honest.settle)(payload, requirements)
        },
      }
      const payTo = privateKeyToAccount(generatePrivateKey()).address
      await using shop = await openShop(SERVER[protocol], { facilitator, payTo })
      const card = await issue(agent, 1)
      const key = { headers: { 'idempotency-key': card.id } }
      const ask = {
        card_id: card.id,
        card_token: card.token,
        url: shop.url,
        method: 'GET',
        protocol,
      }
      await run({ card, buy: () => agent.post('/api/pay', ask, key) })

      expect(nonces.size).toBe(1)
      expect(await readAssetBalance(stage.w.chain, payTo)).toBe(isTaken ? PRICE : 0n)
      const [spent, held] = isTaken ? [DEBIT_USD, 0] : [0, DEBIT_USD]
      expect(await cardOf(agent, card.id)).toMatchObject({ spent, held })
      expect(await stage.w.faults()).toEqual([])
    },
  )
})

const SERVER = { x402: '@x402/express', mpp: 'mppx server' } as const satisfies Record<
  Protocol,
  string
>

test(
  'when all is final, the treasury holds on chain what the books say, to the unit',
  {
    timeout: TEST_MS,
  },
  () => expectBooksToMatch(stage),
)
