/** Readers without a credential, who know what they must see: listings that were made before they asked. */
import { randomHex } from '../packages/service/src/base/kernel/secrets.ts'
import { ask } from '../packages/service/test/crash/client.ts'
import { pause } from '../packages/service/test/until.ts'
import type { Shop } from './load.ts'
import type { Machine } from './machines.ts'

/** Of a listing in the database of a second master, in base units. Nobody may be shown it. */
export const STRANGE_PRICE = 777_000_000n

const BETWEEN_LISTINGS_MS = 150
const BETWEEN_READS_MS = 20
const READERS_A_MACHINE = 2
/** The others are of the list that says how many listings there are. */
const OTHERS = ['/api/x402/discovery/resources', '/api/listings?sort=price_asc&limit=3']
const LIST = '/api/listings?limit=5'

type Read = { askedAt: number; tookMs: number; ageMs: number; fault?: string }

/** Makes listings all the time, one after the other, and reads them at each machine, until `stop` or the end of its act. */
export async function startReaders(shop: Shop, machines: readonly Machine[]) {
  const before = (await readOnce(machines[0] as Machine, LIST)).total ?? 0
  const reads: Read[] = []
  const faults: string[] = []
  /** When the maker of each listing had its answer. */
  const madeAt: number[] = []
  let isOver = false
  const failed = (error: Error) => void faults.push(error.message)
  const making = keepListing(shop, madeAt, () => isOver).catch(failed)
  const read = async (machine: Machine, reader: number) => {
    while (!isOver) {
      const other = reads.length % 4 === 3 ? OTHERS[(reads.length + reader) % 2] : undefined
      const askedAt = performance.now()
      const { total, fault } = await readOnce(machine, other ?? LIST)
      const tookMs = performance.now() - askedAt
      const missing = total === undefined ? undefined : madeAt[total - before]
      const ageMs = missing === undefined ? 0 : Math.max(0, askedAt - missing)
      reads.push({ askedAt, tookMs, ageMs, ...(fault && { fault }) })
      await pause(BETWEEN_READS_MS)
    }
  }
  const reading = machines.flatMap((machine) =>
    Array.from({ length: READERS_A_MACHINE }, (_, reader) => read(machine, reader).catch(failed)),
  )
  async function end(): Promise<void> {
    isOver = true
    await Promise.all([making, ...reading])
  }
  return {
    [Symbol.asyncDispose]: end,
    async stop() {
      await end()
      return {
        count: reads.length,
        listings: madeAt.length,
        faults: [...faults, ...reads.flatMap(({ fault }) => fault ?? [])],
        oldestMs: Math.max(0, ...reads.map(({ ageMs }) => ageMs)),
        longestMs: Math.max(0, ...reads.map(({ tookMs }) => tookMs)),
      }
    },
  }
}

async function keepListing(shop: Shop, madeAt: number[], isOver: () => boolean): Promise<void> {
  for (let i = 0; !isOver(); i++) {
    const { key } = shop.payers[i % shop.payers.length] as Shop['payers'][number]
    const insist = (path: string, body: unknown) => answerOf(shop, { key, path, body }, isOver)
    const issued = await insist('/api/issue', { purpose: 'listed', limit_amount: 1 })
    const listed = issued && (await insist('/api/listings', { card_id: issued.card.id, price: 5 }))
    if (!listed) return
    madeAt.push(performance.now())
    await pause(BETWEEN_LISTINGS_MS)
  }
}

/** The answer; undefined if it is over before that. */
async function answerOf(
  shop: Shop,
  { key, path, body }: { key: string; path: string; body: unknown },
  isOver: () => boolean,
): Promise<any> {
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': randomHex(12) }
  while (!isOver()) {
    const reply = await ask(shop.stage.baseUrl, { method: 'POST', path, body, headers })
    if (reply?.status === 200) return reply.body
    if (reply && reply.status < 500 && reply.status !== 429 && reply.status !== 409)
      throw new Error(`${path}: ${JSON.stringify(reply)}`)
    await pause(BETWEEN_LISTINGS_MS)
  }
}

async function readOnce(
  { url }: Machine,
  path: string,
): Promise<{ total?: number; fault?: string }> {
  const reply = await ask(url, { method: 'GET', path })
  if (reply?.status !== 200)
    return { fault: `${path} was answered ${reply ? JSON.stringify(reply) : 'by nobody'}` }
  const prices: number[] = (reply.body.listings ?? []).map(({ price }: { price: number }) => price)
  if (prices.includes(Number(STRANGE_PRICE) / 1e6))
    return { fault: `${path} showed a listing of a second master` }
  return path === LIST ? { total: reply.body.total } : {}
}
