/** Wallets read at any machine what they have just written, while the standby of public reads stands still and the primary is lost. */
import { pause } from '../../packages/service/test/until.ts'
import { type Act, type Drill, outcomeOf, pauseOf } from '../act.ts'
import { AMOUNT, askAs, compare, pay, type Shop } from '../load.ts'
import type { Machine } from '../machines.ts'

const BEFORE_MS: [number, number] = [3_000, 6_000]
/** Longer than the lease: it wakes as a former primary. */
const FROZEN_MS = 30_000
const AFTER_MS = 10_000
const BETWEEN_MS = 50

export const OWN_WRITES: Act = {
  name: 'own-writes',
  summary:
    'each payment is read back at every machine, while the standby of PURSER_READ_URL stands still, and the primary is frozen and wakes',
  goal: 'no wallet misses a payment or a card of its own, 0 lost, 0 doubled',
  async play(drill) {
    const { cluster } = drill
    const standby = await cluster.asynchronous()
    const { shop, machines } = await drill.open({
      PURSER_READ_URL: cluster.urlOfMember(standby, 'purser'),
      // It is fit to be read, however old it is.
      PURSER_READ_LAG: '3600',
      PURSER_RATE_LIMIT: '100000',
    })
    await cluster.sqlOn(standby, 'select pg_wal_replay_pause()', 'purser')
    await using readers = startReading(shop, machines)
    await pauseOf(drill, BEFORE_MS)
    const primary = await freeze(drill)
    await pause(AFTER_MS)
    const { payments, reads, missed } = await readers.stop()
    await cluster.sqlOn(standby, 'select pg_wal_replay_resume()', 'purser')
    await cluster.whole()
    const measured = {
      answered: shop.payments.filter(({ settlement }) => settlement).length,
      failed: shop.payments.reduce((sum, { failed }) => sum + failed, 0),
      faults: missed,
    }
    return outcomeOf(measured, await compare(shop), {
      note: `${reads} reads of ${payments} payments and as many cards, while ${primary} was frozen and awake again`,
      own: reads > payments ? [] : ['hardly anything was read'],
    })
  },
}

async function freeze({ cluster }: Drill): Promise<string> {
  const primary = await cluster.primary()
  cluster.freeze(primary)
  await pause(FROZEN_MS)
  cluster.wake(primary)
  await cluster.primary()
  return primary.name
}

/** Every payer pays, makes a card, and reads both at each machine, by its own address. What is not answered is no fault. */
function startReading(shop: Shop, machines: readonly Machine[]) {
  const missed: string[] = []
  const givenUp = new AbortController()
  let isOver = false
  const count = { payments: 0, reads: 0 }
  const read = (machine: Machine, payer: number, path: string) =>
    askAs({ ...shop, stage: { ...shop.stage, baseUrl: machine.url } }, payer, {
      method: 'GET',
      path,
    })
  const work = async (payer: number) => {
    const card = shop.payers[payer]?.card.id
    let spent = shop.before.spent[payer] ?? 0n
    while (!isOver) {
      const made = { purpose: 'read back', limit_amount: 0.01 }
      const issued = await askAs(shop, payer, { method: 'POST', path: '/api/issue', body: made })
      const paid = await pay(shop, payer, givenUp.signal)
      if (!paid.settlement) continue
      spent += AMOUNT
      count.payments++
      for (const machine of machines) {
        const seen = await read(machine, payer, `/api/cards/${card}`)
        const shown = Math.round(Number(seen?.body?.card?.spent) * 1e6)
        if (seen?.status === 200) count.reads++
        if (seen?.status === 200 && BigInt(shown) !== spent)
          missed.push(`payer ${payer} had spent ${spent}, and was shown ${shown}`)
        if (issued?.status !== 200) continue
        const found = await read(machine, payer, `/api/cards/${issued.body.card.id}`)
        if (found && found.status < 500 && found.status !== 200 && found.status !== 429)
          missed.push(`a card of payer ${payer} was answered ${found.status} after it was made`)
      }
      await pause(BETWEEN_MS)
    }
  }
  const all = Promise.all(
    shop.payers.map((_, i) =>
      work(i).catch((error: Error) => void missed.push(`payer ${i}: ${error.message}`)),
    ),
  )
  return {
    async stop() {
      isOver = true
      await all
      return { ...count, missed }
    },
    async [Symbol.asyncDispose]() {
      isOver = true
      givenUp.abort()
      await all
    },
  }
}
