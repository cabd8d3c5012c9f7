import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAssetBalance } from '../packages/service/src/chain/client/reads.ts'
import type { User } from '../packages/service/test/world.ts'
import { isPaywall, PAIRINGS, type Pairing, titleOf } from './matrix.ts'
import { openPayer } from './parties/payers.ts'
import { openPaywall } from './parties/paywalls.ts'
import { GOODS, openShop, PRICE, PRICE_USD } from './parties/servers.ts'
import { expectBooksToMatch, NET_USD, openLink, openStage, type Stage } from './stage.ts'

/** Each case is a purchase, some by a child process, on a machine that may be busy. */
const CASE_MS = 900_000

let stage: Stage
let agent: User
beforeAll(async () => {
  stage = await openStage()
  agent = await stage.w.user({ treasury: 100 })
}, CASE_MS)
afterAll(() => stage[Symbol.asyncDispose]())

test.each(PAIRINGS.map((pairing) => [titleOf(pairing), pairing] as const))(
  '%s',
  { timeout: CASE_MS },
  async (_, pairing) => {
    const payer = await openPayer(stage, agent, pairing)
    await using server = await openServer(pairing)
    expect(await payer.pay(server.url)).toMatchObject({ status: 200, body: server.serves })
    await payer.expectPaid()
    await server.expectPaid()
    expect(await stage.w.faults()).toEqual([])
  },
)

test(
  'when all is final, the treasury holds on chain what the books say, to the unit',
  {
    timeout: CASE_MS,
  },
  () => expectBooksToMatch(stage),
)

type Till = {
  url: string
  /** Members of the body of a paid response. */
  serves: object
  /** Expects that the price has arrived once, and nothing else. */
  expectPaid(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

async function openServer({ server, facilitator }: Pairing): Promise<Till> {
  if (server === 'purser pay link') {
    const link = await openLink(stage, PRICE_USD)
    return {
      url: link.url,
      serves: { success: true, status: 'SETTLED', amount: 0.01, pay_link_code: link.code },
      expectPaid: async () => expect(await link.received()).toBe(NET_USD),
      [Symbol.asyncDispose]: async () => undefined,
    }
  }
  if (isPaywall(server)) return openPaywall(stage, server)
  if (!facilitator) throw new Error(`${server} needs a facilitator`)
  const payTo = privateKeyToAccount(generatePrivateKey()).address
  const shop = await openShop(server, { facilitator: stage.facilitators[facilitator], payTo })
  return {
    ...shop,
    serves: GOODS,
    expectPaid: async () => expect(await readAssetBalance(stage.w.chain, payTo)).toBe(PRICE),
  }
}
