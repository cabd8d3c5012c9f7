import { expect, test } from 'vitest'
import { openWorld } from '../packages/service/test/crash/acts/players.ts'
import { openWallet } from '../packages/service/test/crash/chain-wallet.ts'
import { openStage, type Stage } from '../packages/service/test/crash/stage.ts'
import { until } from '../packages/service/test/until.ts'
import { freshDatabase } from '../packages/service/test/world/postgres.ts'
import { TILLS } from './failures.ts'
import { holderOver } from './parties/holders.ts'
import { openTill } from './parties/tills.ts'
import type { Holder } from './stage.ts'

const TEST_MS = 900_000
const FUNDS = 1_000_000n

/** Opens a wallet that sells. The service must be running. */
async function openHolder(stage: Stage): Promise<Holder> {
  const world = await openWorld(stage, { players: 1, sellerTimeoutSeconds: 60 })
  await world.seller.close()
  return holderOver(stage.baseUrl, world.players[0]!.key)
}

// The service runs as a separate program that kills itself after broadcasting, and is started again. Most of the time passes
// until the new process may take over what the dead one had begun, so the tests run together.
test.concurrent.each([
  ['in USDC', TILLS.filter((name) => name !== 'facilitator by Permit2')],
  ['by Permit2', ['facilitator by Permit2'] as const],
])(
  'payments %s whose process dies between broadcast and receipt settle once after the restart',
  {
    timeout: TEST_MS,
  },
  async (_, tills) => {
    const database = await freshDatabase()
    await using stage = await openStage({ blockTimeSeconds: 0.5, processes: 1, database })
    const { baseUrl, rpcUrl } = stage
    const armed = await stage.launch('api,worker', 'chain.after_broadcast').ready()
    const seller = await openHolder(stage)
    const shown = await Promise.all(
      tills.map(async (name) => {
        const till = await openTill[name]({ baseUrl, rpcUrl, seller })
        const { account } = await openWallet(rpcUrl, FUNDS)
        return { name, till, signed: await till.sign(account) }
      }),
    )
    const lost = await Promise.allSettled(
      shown.map(({ name, till, signed }) => till.present(signed, name)),
    )
    expect(lost.map(({ status }) => status)).toEqual(tills.map(() => 'rejected'))
    expect(await armed.exited).toBe('SIGKILL')

    await stage.launch('api,worker').ready()
    await Promise.all(
      shown.map(async ({ name, till, signed }) => {
        const again = () => till.present(signed, name)
        const answer = await until(again, ({ outcome }) => outcome !== 'pending')
        expect(answer, name).toMatchObject({ outcome: 'settled' })
        await till.expectPaid(1)
      }),
    )
    const verified = await stage.command(['verify'])
    expect(verified.code, verified.output).toBe(0)
  },
)
