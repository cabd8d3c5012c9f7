import { all, sql } from '../../src/base/db/sql.ts'
import { newId } from '../../src/base/kernel/ids.ts'
import { meterSettlement } from '../../src/members/meter/meter.ts'
import { checkThreshold } from '../../src/rails/billing/charge/threshold.ts'
import { chargeAllDue } from '../../src/rails/billing/jobs.ts'
import type { Card, User, World } from '../world.ts'
import { agree, chargeAgain, issueFor, loseConnections, openBilling } from './kit.ts'

const DAY_MS = 86_400_000
/** The fee meters are used this often, in days. */
const METER_DAYS = 8
/** Days of the year on which an outage of a week begins. */
const OUTAGES = [45, 130, 262]
/** On these days connections of the workers are killed while they charge. */
const isCrash = (day: number): boolean => day % 37 === 5
/** On these days two workers charge at once, each of them twice. */
const isDoubled = (day: number): boolean => day % 3 === 0

export type YearOptions = { agreements: number; days?: number }
export type YearResult = {
  agreements: number
  charges: number
  days: number
  madeMs: number
  runMs: number
  longestMs: number
}

/**
 * Makes agreements on a 31st: monthly, weekly and threshold ones. Then lets a year pass day by day, with outages of a week,
 * duplicate workers and crashes.
 */
export async function liveYear(
  w: World,
  { agreements, days = 366 }: YearOptions,
): Promise<YearResult> {
  const other = await w.machine()
  try {
    toThe31st(w)
    const begun = performance.now()
    const metered = await makeAgreements(w, agreements)
    const made = performance.now()
    let longestMs = 0
    for (let day = 1; day <= days; day++) {
      w.clock.offsetMs += DAY_MS
      const isUsed = day % METER_DAYS === 0
      if (isUsed) await useMeters(w, metered)
      if (OUTAGES.some((from) => day >= from && day < from + 7)) continue
      const from = performance.now()
      await chargeDay(w, other, day)
      if (isUsed) await checkMeters(w, metered)
      longestMs = Math.max(longestMs, performance.now() - from)
    }
    const [counted] = await all(
      w.db.reader,
      sql<{ n: bigint }>`select count(*) as n from agreement_charges where status = 'SUCCEEDED'`,
    )
    const runMs = performance.now() - made
    return { agreements, charges: Number(counted?.n), days, madeMs: made - begun, runMs, longestMs }
  } finally {
    await other[Symbol.asyncDispose]()
  }
}

/** Moves the clock to noon of the next 31 January. */
function toThe31st(w: World): void {
  const now = w.now()
  const year = now.getUTCFullYear() + 1
  w.clock.offsetMs += Date.UTC(year, 0, 31, 12) - now.getTime()
}

async function makeAgreements(w: World, count: number): Promise<User[]> {
  const b = await openBilling(w, 2_000_000)
  const cards = await Promise.all(Array.from({ length: 20 }, () => issueFor(b.payer, 40_000)))
  const thresholds = Math.ceil(count / 40)
  const intervals = Array.from({ length: count - thresholds }, (_, i) => i)
  // As many at once as a wallet may prepare.
  await Promise.all(
    cards.map(async (card, lane) => {
      for (const i of intervals.filter((one) => one % cards.length === lane))
        await agree(b.payer, card, {
          ...(i % 4 === 0 ? { merchant_wallet: b.seller.wallet } : { pay_link_code: b.link }),
          amount: 10,
          trigger_type: 'interval',
          ...(i % 2 === 0 ? { period_months: 1 } : { period_days: 7 }),
          expires_in: 24 * 400,
        })
    }),
  )
  const metered: User[] = []
  for (let i = 0; i < thresholds; i++) metered.push(await openMetered(w))
  return metered
}

async function openMetered(w: World): Promise<User> {
  const user = await w.user({ treasury: 1_000 })
  const card: Card = await issueFor(user, 1_000)
  await agree(user, card, {
    merchant_wallet: w.chain.treasury.address,
    amount: '0.5',
    trigger_type: 'threshold',
    threshold_metric: 'svc_fee_balance',
    threshold_floor: '0.2',
    budget: 1_000,
    expires_in: 24 * 400,
  })
  return user
}

/** A DIRECT settlement above the quota: 0.05 USDC for each wallet. */
async function useMeters(w: World, users: readonly User[]): Promise<void> {
  const { asset } = w.chain
  const at = w.now()
  await Promise.all(
    users.map(({ wallet: walletAddress }) =>
      w.write((tx) =>
        meterSettlement(tx, at, {
          walletAddress,
          settlementId: newId('stl', at),
          asset,
          worth: 'named',
        }),
      ),
    ),
  )
}

async function checkMeters(w: World, users: readonly User[]): Promise<void> {
  const { services } = w
  // Each by two workers at once.
  await Promise.all(
    [...users, ...users].map(({ wallet: walletAddress }) =>
      w.write((tx) => checkThreshold(tx, w.now(), { services, walletAddress })),
    ),
  )
}

async function chargeDay(w: World, other: World, day: number): Promise<void> {
  const charge = ({ services }: World) => chargeAllDue(services, w.now())
  if (isCrash(day)) {
    // The workers lose their connections in the middle; what was not committed is done by the next run.
    await Promise.allSettled([charge(w), charge(other), loseConnections(w, 15)])
    await chargeAgain(w)
  } else if (isDoubled(day)) await Promise.all([charge(w), charge(other), charge(w), charge(other)])
  else await charge(w)
}
