import type { Lane } from '../db/lane.ts'
import { all, sql, type Tx } from '../db/sql.ts'
import { assert } from '../kernel/assert.ts'
import type { Asset } from '../kernel/assets.ts'
import { confirmSoon } from './confirm-many.ts'
import { creditSettlements, type PaidLog } from './credit.ts'
import { lockLinks, normalCode, type PayLink, type Settlement } from './store.ts'

/** A claimed payment whose transfer a block holds. */
export type Arrival = {
  code: string
  settlement: Settlement
  log: PaidLog
  /** Whether the same transaction moved it on to the treasury. */
  isSwept: boolean
  asset: Asset
}
/** The link as it stands after it; undefined where the settlement had ended before. */
export type ArrivalOutcome = { settlement: Settlement; link: PayLink } | undefined

/** Credits many claimed payments in one transaction: one statement a table, whatever their number. */
export const settleLane: Lane<Arrival, ArrivalOutcome> = {
  name: 'settle_x402',
  async run(tx, at, arrivals) {
    const links = await lockLinks(
      tx,
      arrivals.map(({ code }) => code),
    )
    const ended = await endSettlements(tx, at, arrivals)
    const seen = new Set<string>()
    const due = arrivals.filter(({ settlement: { id } }) => {
      const isFirst = ended.has(id) && !seen.has(id)
      seen.add(id)
      return isFirst
    })
    const [first] = due
    if (!first) return arrivals.map(() => undefined)
    const paid = due.map(({ code, settlement, log, isSwept }) => {
      const link = links.get(normalCode(code))
      assert(link, 'the link exists')
      const settled: Settlement = {
        ...settlement,
        ...{ state: 'settled', txHash: log.txHash, isSwept, settledAt: at },
      }
      return { link, settlement: settled, log }
    })
    for (const { link } of new Map(paid.map((one) => [one.link.id, one])).values()) {
      const uses = paid.filter((one) => one.link.id === link.id).length
      links.set(link.code, { ...link, reserved: link.reserved - uses })
    }
    const credited = await creditSettlements(tx, at, {
      asset: first.asset,
      paid: paid.map((one) => ({ ...one, link: links.get(one.link.code) ?? one.link })),
    })
    assert(credited.size === paid.length, 'the logs of settlements that end had not been used')
    await confirmSoon(tx)
    return arrivals.map(({ settlement: { id }, code }) => {
      const settlement = paid.find((one) => one.settlement.id === id)?.settlement
      const link = credited.get(id) ?? links.get(normalCode(code))
      return settlement && link && { settlement, link }
    })
  },
}

/** Ends those that were on their way; answers their ids. */
async function endSettlements(
  tx: Tx,
  at: Date,
  arrivals: readonly Arrival[],
): Promise<Set<string>> {
  const rows = await all<{ id: string }>(
    tx,
    sql`update pay_link_settlements s set state = 'settled', reason = null, tx_hash = v.tx_hash,
        is_swept = v.is_swept, settled_at = ${at}
      from (select distinct on (id) * from unnest(${arrivals.map((a) => a.settlement.id)}::text[],
        ${arrivals.map((a) => a.log.txHash)}::text[], ${arrivals.map((a) => a.isSwept)}::boolean[])
        as v (id, tx_hash, is_swept)) v
      where s.id = v.id and s.state = 'settling' returning s.id`,
  )
  return new Set(rows.map(({ id }) => id))
}
