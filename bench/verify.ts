/**
 * `node bench/verify.ts`: AP2 settlements per second with a full ledger, alone and during the daily check of the books.
 * The two take turns, so that the machine's other work affects both. Prints one line of JSON last.
 */
import { randomBytes } from 'node:crypto'
import { Secret } from '../packages/service/src/base/kernel/secrets.ts'
import { checkpointKeysOf } from '../packages/service/src/base/signing-keys/checkpoint-keys.ts'
import { Keyring } from '../packages/service/src/base/signing-keys/keyring.ts'
import { checkBooksApart } from '../packages/service/src/run/operate/processes/check-books.ts'
import { fire } from './load/fire.ts'
import { fillSettlements } from './stage/fill.ts'
import { type BenchService, startService } from './stage/service.ts'
import { openShop, settleRequests } from './stage/shop.ts'

const SETTLEMENTS = Number(process.argv[2] ?? 500_000)
const REQUESTS = 6_000
const TURNS = 3
const SIZE = { payers: 2_000, links: 200, cardLimit: 0.1 }

const print = (line: string) => process.stdout.write(`${line}\n`)

const settle = async (service: BenchService, requests: string[]): Promise<number> =>
  (await fire({ ...service, pids: [service.pid] }, { connections: 64, requests })).perSecond

const secret = randomBytes(32).toString('hex')
const service = await startService({ PURSER_SECRET: secret })
try {
  const shop = await openShop(service, SIZE)
  const requests = () => settleRequests(shop, REQUESTS, 0)
  // The first settlements also open the account of the fees.
  await settle(service, await requests())
  print(`${await fillSettlements(service.databaseUrl, shop, SETTLEMENTS)}/s filled`)
  const keys = checkpointKeysOf(new Keyring([new Secret(secret)]))
  const check = (signal?: AbortSignal) =>
    checkBooksApart({
      ...{ databaseUrl: service.databaseUrl, keys, env: process.env },
      ...(signal ? { signal } : {}),
    })
  const rows: { alone: number; beside: number }[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    const [first, second] = [await requests(), await requests()]
    const alone = await settle(service, first)
    const stopping = new AbortController()
    const checking = check(stopping.signal).then(
      (faults) => `done, ${faults.length} faults: ${faults[0]?.fault ?? ''}`,
      () => 'still at work',
    )
    const beside = await settle(service, second)
    stopping.abort()
    rows.push({ alone, beside })
    print(`alone ${alone}/s, beside the check ${beside}/s; the check: ${await checking}`)
  }
  const startedAt = performance.now()
  const faults = await check()
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  print(`a whole check takes ${seconds} s and finds ${faults.length} faults`)
  for (const { check, fault } of faults.slice(0, 5)) print(`  ${check}: ${fault}`)
  print(JSON.stringify({ settlements: SETTLEMENTS, rows, seconds, faults: faults.length }))
} finally {
  await service.stop()
}
