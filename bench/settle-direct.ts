/** Settlements without HTTP and signatures, on the service's own database: one transaction each, to compare. */
import { openDb } from '../packages/service/src/db/sql.ts'
import { USDC } from '../packages/service/src/kernel/assets.ts'
import { amount } from '../packages/service/src/kernel/money.ts'
import {
  type CardPayment,
  settleByCard,
} from '../packages/service/src/pay-links/methods/card/settle.ts'
import type { Shop } from './shop.ts'

const NETWORK = 'eip155:84532'
const FEE = { bps: 50n, flat: amount(0n) }

/** Settles `count` payments in transactions of `batch`, `atOnce` of them at a time. Answers settlements a second. */
export async function settleDirectly(
  databaseUrl: string,
  { payers, links }: Shop,
  how: { count: number; batch: number; atOnce: number },
): Promise<number> {
  const asset = Object.values(USDC).find(({ network }) => network === NETWORK)
  if (!asset) throw new Error(`no USDC on ${NETWORK}`)
  const db = openDb(databaseUrl, how.atOnce)
  const pick = <T>(from: T[]): T => from[Math.floor(Math.random() * from.length)] as T
  const payment = (): CardPayment => {
    const payer = pick(payers)
    return {
      code: pick(links).code,
      cardId: payer.id,
      token: payer.token,
      amount: null,
      protocol: null,
      asset,
      fee: FEE,
    }
  }
  const startedAt = performance.now()
  let begun = 0
  const work = async () => {
    while (begun < how.count) {
      begun += how.batch
      const payments = Array.from({ length: how.batch }, payment)
      const outcomes = await db.write((tx) => settleByCard(tx, new Date(), payments))
      for (const outcome of outcomes) if (!outcome.ok) throw outcome.problem
    }
  }
  await Promise.all(Array.from({ length: how.atOnce }, work))
  const seconds = (performance.now() - startedAt) / 1000
  await db.close()
  return Math.round(begun / seconds)
}
