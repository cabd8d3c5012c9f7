import { expect, test } from 'vitest'
import { mine } from '../../packages/service/src/run/embedded/dev/chain.ts'
import { issue } from '../../packages/service/test/actors/attack-kit.ts'
import { CUT, faultyRpc, GARBAGE } from '../../packages/service/test/faults/faulty-rpc.ts'
import { officialFacilitator } from '../../packages/service/test/sellers/x402-sellers.ts'
import { until } from '../../packages/service/test/until.ts'
import { freshAccount, testChain } from '../../packages/service/test/world/chain.ts'
import { world } from '../../packages/service/test/world.ts'
import { once } from './errands.ts'
import { canned } from './faults.ts'
import { PAYERS, TAKERS } from './modes.ts'
import { openPayer } from './payers.ts'
import { openMarket } from './play-payer.ts'
import { endTaker, safely, showUntilKnown } from './play-taker.ts'
import { expectCase } from './report-case.ts'
import { openTaker } from './takers.ts'

const TEST_MS = 900_000
const FUNDS = 1_000_000n
const MODE = 'reconcile_unavailable'
/** The service waits for a block no longer than this. */
const WAIT_MS = 400

/** A service whose only node can fall silent. */
async function openGround() {
  const { rpcUrl, chainId } = testChain()
  const node = await faultyRpc(rpcUrl)
  const w = await world({
    on: { rpcUrl, rpcUrls: [node.url], mine: () => mine({ rpcUrl, blocks: 1 }) },
  })
  await w.withGas()
  const baseUrl = await w.listen()
  w.services.settings.facilitator = { payTo: 'any', waitMs: WAIT_MS }
  return {
    ...{ w, node, baseUrl, rpcUrl, chainId },
    seller: await w.user({ treasury: 10 }),
    /** Lets the work end, with a worker beside it. */
    async during<T>(work: Promise<T>): Promise<T> {
      let isOver = false
      const ended = work.finally(() => {
        isOver = true
      })
      const [result] = await Promise.all([
        ended,
        until(async () => {
          await w.advance(0)
          await w.runJobs()
          return isOver
        }),
      ])
      return result
    },
    async [Symbol.asyncDispose]() {
      await w[Symbol.asyncDispose]()
      await node[Symbol.asyncDispose]()
    },
  }
}

test('payers who cannot ask the chain do not pay again', { timeout: TEST_MS }, async (context) => {
  await using ground = await openGround()
  const { w, node } = ground
  const agent = await w.user({ treasury: 10 })
  const settledBy = await officialFacilitator()
  const taken = Promise.withResolvers<void>()
  let left = PAYERS.length
  const fault: Parameters<typeof openMarket>[1]['fault'] = async (passing) => {
    await passing.forward()
    if (--left === 0) {
      node.fault(() => GARBAGE)
      taken.resolve()
    }
    await taken.promise
    passing.give(canned(502, {}))
  }
  const errands = await Promise.all(
    PAYERS.map(async (side) => {
      const market = await openMarket(ground, { leg: 'seller', fault, settledBy })
      const card = await issue(agent, 1)
      const payer = await openPayer[side]({ baseUrl: market.baseUrl, apiKey: agent.key, card })
      return { side, market, payer, url: market.url, key: card.id }
    }),
  )
  const ask = () => Promise.all(errands.map(({ payer, url, key }) => payer.buy({ url, key })))
  for (const heard of [...(await ask()), ...(await ask())]) expect(heard).toMatch(/^(open|lost)$/)
  node.fault(undefined)
  for (const errand of errands) {
    const heard = await ground.during(once(errand))
    const transfers = await errand.market.transfers()
    expectCase(context, { mode: MODE, side: errand.side, leg: 'seller', transfers, heard })
    await errand.payer.close()
    await errand.market[Symbol.asyncDispose]()
  }
  expect(await w.faults()).toEqual([])
})

test('who is paid and cannot ask the chain takes nothing twice', {
  timeout: TEST_MS,
}, async (context) => {
  await using ground = await openGround()
  const { w, node } = ground
  for (const side of TAKERS) {
    const taker = await openTaker(side, MODE, ground)
    const account = await freshAccount({ usdc: FUNDS })
    const showing = await taker.sign(account)
    let isDark = false
    node.fault(async ({ method }, next) => {
      if (isDark) return GARBAGE
      if (method !== 'eth_sendRawTransaction') return undefined
      await next()
      isDark = true
      return CUT
    })
    const show = () => safely(() => showing.show(account.address))
    for (const { outcome } of [await show(), await show()]) expect(outcome).not.toBe('settled')
    expect(isDark).toBe(true)
    node.fault(undefined)
    const heard = await ground.during(showUntilKnown(showing, account.address))
    expectCase(context, await endTaker(ground, { taker, account, side, mode: MODE, heard }))
  }
  expect(await w.faults()).toEqual([])
})
