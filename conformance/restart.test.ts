import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld } from '../packages/service/test/crash/acts/players.ts'
import { openWallet } from '../packages/service/test/crash/chain-wallet.ts'
import { ask } from '../packages/service/test/crash/client.ts'
import { openStage, type Stage } from '../packages/service/test/crash/stage.ts'
import { TILLS } from './failures.ts'
import { openTill } from './parties/tills.ts'
import type { Holder } from './stage.ts'

const TEST_MS = 400_000
const FUNDS = 1_000_000n

let stage: Stage
let seller: Holder | undefined
beforeAll(async () => {
  stage = await openStage({ blockTimeSeconds: 1, processes: 1 })
}, TEST_MS)
afterAll(() => stage?.[Symbol.asyncDispose](), TEST_MS)

/** Opens the wallet that sells in all tests. The service must be running. */
async function openHolder(): Promise<Holder> {
  const world = await openWorld(stage, { players: 1, sellerTimeoutSeconds: 60 })
  await world.seller.close()
  return holder(stage.baseUrl, world.players[0]!.key)
}

// The service runs as a separate program that kills itself after broadcasting, and is started again.
test.each([
  ['in USDC', TILLS.filter((name) => name !== 'facilitator by Permit2')],
  ['by Permit2', ['facilitator by Permit2'] as const],
])(
  'payments %s whose process dies between broadcast and receipt settle once after the restart',
  {
    timeout: TEST_MS,
  },
  async (_, tills) => {
    const { baseUrl, rpcUrl } = stage
    await stage.killAll()
    const armed = await stage.launch('api,worker', 'chain.after_broadcast').ready()
    seller ??= await openHolder()
    const payee = seller
    const shown = await Promise.all(
      tills.map(async (name) => {
        const till = await openTill[name]({ baseUrl, rpcUrl, seller: payee })
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
    for (const { name, till, signed } of shown) {
      const again = () => till.present(signed, name)
      let answer = await again()
      for (; answer.outcome === 'pending'; answer = await again()) await sleep(200)
      expect(answer, name).toMatchObject({ outcome: 'settled' })
      await till.expectPaid(1)
    }
    const verified = await stage.command('verify')
    expect(verified.code, verified.output).toBe(0)
  },
)

/** A client with an API key, over HTTP. */
function holder(baseUrl: string, key: string): Holder {
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${key}` }
    const reply = await ask(baseUrl, {
      method,
      path,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    if (!reply) throw new Error(`${method} ${path} was not answered`)
    return { ...reply, headers: {}, text: JSON.stringify(reply.body) }
  }
  return { key, get: (path) => send('GET', path), post: (path, body) => send('POST', path, body) }
}
