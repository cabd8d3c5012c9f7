import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { issue } from '../../packages/service/test/actors/attack-kit.ts'
import { openWorld } from '../../packages/service/test/crash/acts/players.ts'
import { openWallet } from '../../packages/service/test/crash/chain-wallet.ts'
import { openStage } from '../../packages/service/test/crash/stage.ts'
import { freshDatabase } from '../../packages/service/test/world/postgres.ts'
import { holderOver } from '../parties/holders.ts'
import { type Errand, once } from './errands.ts'
import { FAULTS } from './faults.ts'
import { PAYERS, TAKERS } from './modes.ts'
import { openPayer } from './payers.ts'
import { openMarket } from './play-payer.ts'
import { endTaker, safely, showUntilKnown } from './play-taker.ts'
import { expectCase } from './report-case.ts'
import { openTaker } from './takers.ts'

const TEST_MS = 900_000
const FUNDS = 1_000_000n
const MODE = 'killed'
const WAY = { leg: 'seller', fault: FAULTS.none } as const

// The service runs as a separate program, which kills itself after its first broadcast: all that is on its way meets that.
test('a service that is killed while payments are on their way pays and takes each once', {
  timeout: TEST_MS,
}, async (context) => {
  const database = await freshDatabase()
  await using stage = await openStage({ blockTimeSeconds: 0.5, processes: 1, database })
  const { baseUrl, rpcUrl } = stage
  const armed = await stage.launch('api,worker', 'chain.after_broadcast').ready()
  const world = await openWorld(stage, { players: 2, sellerTimeoutSeconds: 60 })
  await world.seller.close()
  const [seller, agent] = world.players.map(({ key }) => holderOver(baseUrl, key))
  if (!seller || !agent) throw new Error('there are two players')
  const place = { baseUrl, rpcUrl, seller }

  const errands = await Promise.all(
    PAYERS.map(async (side) => {
      const market = await openMarket(place, WAY)
      const card = await issue(agent, 1)
      const payer = await openPayer[side]({ baseUrl: market.baseUrl, apiKey: agent.key, card })
      return { side, market, payer, url: market.url, key: card.id }
    }),
  )
  const shown = await Promise.all(
    TAKERS.map(async (side) => {
      const taker = await openTaker(side, MODE, place)
      const { account } = await openWallet(rpcUrl, FUNDS)
      return { side, taker, account, showing: await taker.sign(account) }
    }),
  )
  const first = await Promise.all([
    ...errands.map(({ payer, url, key }) => payer.buy({ url, key })),
    ...shown.map(async ({ showing, account }) => {
      const { outcome } = await safely(() => showing.show(account.address))
      return outcome
    }),
  ])
  expect(await armed.exited).toBe('SIGKILL')
  for (const heard of first) expect(heard).toMatch(/^(open|lost|pending)$/)

  await stage.launch('api,worker').ready()
  // Together: what the killed process had begun is free for another after its lease, and payments end after a minute.
  const bought = errands.map(async (errand) => ({ ...errand, heard: await untilBought(errand) }))
  const taken = shown.map(async (one) => ({
    ...one,
    heard: await showUntilKnown(one.showing, one.account.address),
  }))
  for (const { side, market, payer, heard } of await Promise.all(bought)) {
    const transfers = await market.transfers()
    expectCase(context, { mode: MODE, side, leg: 'seller', transfers, heard })
    await payer.close()
    await market[Symbol.asyncDispose]()
  }
  for (const one of await Promise.all(taken))
    expectCase(context, await endTaker(place, { ...one, mode: MODE }))
  const verified = await stage.command(['verify'])
  expect(verified.code, verified.output).toBe(0)
})

/**
 * Buys until it is bought. A payment that the killed process had not handed to the chain runs out, and its caller hears that nothing was charged:
 * that ends the purchase under its name, so the caller makes it under another. Had the first been charged, two transfers would show it.
 */
async function untilBought(errand: Errand) {
  const heard = await once(errand)
  return heard === 'refused: not_charged' ? once({ ...errand, key: randomUUID() }) : heard
}
