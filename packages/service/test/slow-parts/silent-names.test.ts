/** Name servers that take every question and answer none: what has a name of its own waits, and nothing else does. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compare, openShop, pay, type Shop, startLoad } from '../../../../drill/load.ts'
import { ask } from '../crash/client.ts'
import { openStage, Process, type Stage } from '../crash/stage.ts'
import { nameServer, silent } from '../faults/name-server.ts'
import { ownPort } from '../run/own-port.ts'
import { pause, until } from '../until.ts'
import { type Receiver, receiver } from '../webhooks/receiver.ts'

/** No program of this machine has it, and the file of name servers takes no port. */
const SERVER = '127.0.0.99'
const HOST = 'silent.example'
/** A first lookup may hold both threads of Node until its resolver gives up, which is twice five seconds. */
const FIRST_MS = 25_000
const QUIET_MS = 20_000
const GAP_SECONDS = 12

let stage: Stage
let shop: Shop
let program: Process
let hook: Receiver
let names: Awaited<ReturnType<typeof nameServer>>
let isSilent = false

beforeAll(async () => {
  names = await nameServer(() => (isSilent ? silent : ['127.0.0.1']), { address: SERVER, port: 53 })
  stage = await openStage({ blockTimeSeconds: 0.5, processes: 1 })
  hook = await receiver()
  const [file, port] = [join(stage.folder, 'resolv.conf'), await ownPort()]
  await writeFile(file, `nameserver ${SERVER}\n`)
  const around = ['unshare', '--mount', 'sh', '-c']
  const mounted = `mount --bind ${file} /etc/resolv.conf && exec "$@"`
  const env = {
    ...stage.env,
    PORT: String(port),
    // By names: this one is in the hosts file, that one nobody knows.
    DATABASE_URL: stage.env.DATABASE_URL.replace('127.0.0.1', 'localhost'),
    PURSER_RPC_URL: `http://node.${HOST}:8545,${stage.rpcUrl}`,
  }
  program = new Process([], env, stage.logFile, [...around, mounted, 'sh'])
  stage.baseUrl = `http://127.0.0.1:${port}`
  await program.ready()
  shop = await openShop(stage, 3)
}, 900_000)

afterAll(async () => {
  await program?.kill()
  await hook?.[Symbol.asyncDispose]()
  await stage?.[Symbol.asyncDispose]()
  await names?.[Symbol.asyncDispose]()
})

const post = (path: string, body: unknown) =>
  ask(stage.baseUrl, {
    ...{ method: 'POST', path, body },
    headers: { authorization: `Bearer ${shop.payers[0]?.key}` },
  })

test('payments, other hosts and new connections to the database go on while names have no answer', async () => {
  const load = startLoad(shop)
  for (const url of [`https://hook.${HOST}/`, hook.url])
    expect(await post('/api/webhooks', { url })).toMatchObject({ status: 200 })
  isSilent = true
  const before = names.asked.length
  await pause(FIRST_MS)
  const taken = hook.taken.length
  // Each connection that the service has is lost, and the name of the database is asked for again.
  await stage.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  const [payer] = shop.payers
  const bought = await post('/api/pay', {
    ...{ card_id: payer?.card.id, card_token: payer?.card.token, url: `https://shop.${HOST}/` },
  })
  expect(bought).toMatchObject({ status: 502, body: { code: expect.any(String) } })
  await pause(QUIET_MS)
  const { gapSeconds, faults } = await load.stop()
  expect(names.asked.length).toBeGreaterThan(before)
  expect({ gapSeconds, faults }).toEqual({ gapSeconds: expect.any(Number), faults: [] })
  expect(gapSeconds).toBeLessThan(GAP_SECONDS)
  await until(() => hook.taken.length > taken)
  expect((await pay(shop, 0)).settlement).toBeDefined()
  const compared = await compare(shop)
  expect(compared).toEqual({ lost: [], doubled: [], faults: [] })
}, 900_000)
