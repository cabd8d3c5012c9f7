import { expect, test } from 'vitest'
import { all, sql } from '../../src/base/db/sql.ts'
import type { Agreement, Charge } from '../../src/members/agreements/agreement.ts'
import { countOf } from '../../src/members/agreements/agreement.ts'
import { periodAt, periodStart } from '../../src/members/agreements/periods.ts'
import { world } from '../world.ts'
import { liveYear } from './year.ts'

/** `YEAR_OF=1000` is the whole simulation, in under a minute. */
const AGREEMENTS = Number(process.env.YEAR_OF ?? 40)
const DAYS = process.env.YEAR_OF === undefined ? 130 : 366

test('a year with outages, duplicate workers and crashes charges each period once, from the anchor', async () => {
  await using w = await world()
  const result = await liveYear(w, { agreements: AGREEMENTS, days: DAYS })
  if (process.env.YEAR_OF !== undefined) console.error(result)
  const agreements = await all(w.db.reader, sql<Agreement>`select * from agreements order by id`)
  const charges = await all(
    w.db.reader,
    sql<Charge>`select * from agreement_charges order by agreement_id, period_no`,
  )
  expect(agreements).toHaveLength(AGREEMENTS)
  expect(new Set(charges.map(({ status }) => status))).toEqual(new Set(['SUCCEEDED']))
  const byAgreement = Map.groupBy(charges, ({ agreementId }) => agreementId)
  const settlements = new Set(charges.map(({ settlementId }) => settlementId))
  expect(settlements.size).toBe(charges.length)

  for (const agreement of agreements) {
    const own = byAgreement.get(agreement.id) ?? []
    expect(agreement).toMatchObject({
      status: 'ACTIVE',
      chargesMade: own.length,
      totalCharged: agreement.amount * BigInt(own.length),
    })
    const count = countOf(agreement)
    if (!count) {
      expect(own.map(({ periodNo }) => periodNo)).toEqual(own.map((_, i) => i + 1))
      expect(own.length).toBeGreaterThan(1)
      continue
    }
    const { anchor, cadence } = count
    for (const { periodNo, createdAt } of own) {
      expect(createdAt >= periodStart(anchor, cadence, periodNo)).toBe(true)
      expect(createdAt < periodStart(anchor, cadence, periodNo + 1)).toBe(true)
    }
    // An outage of a week falls short of a month, and covers one weekly period at most.
    const last = periodAt(anchor, cadence, w.now())
    const missed = last - own.length
    expect(missed).toBeGreaterThanOrEqual(0)
    expect(missed).toBeLessThanOrEqual('months' in cadence ? 0 : 3)
  }
  const [paid] = await all(
    w.db.reader,
    sql<{ n: bigint }>`select count(*) as n from settlements where protocol = 'ap2'`,
  )
  expect(paid?.n).toBe(BigInt(charges.length))
  const monthly = agreements.find(({ periodMonths }) => periodMonths === 1)
  const dates = (byAgreement.get(monthly?.id ?? 'agr_') ?? []).map(({ createdAt }) =>
    createdAt.toISOString().slice(5, 10),
  )
  expect(dates.slice(0, 3)).toEqual(['01-31', expect.stringMatching('02-2'), '03-31'])
  expect(await w.faults()).toEqual([])
})
