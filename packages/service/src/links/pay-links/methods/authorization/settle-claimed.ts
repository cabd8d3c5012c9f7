import type { Lane } from '../../../../base/db/lanes/lane.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import type { Asset } from '../../../../base/kernel/assets.ts'
import { release } from '../../../../chain/relay/gas/reserve.ts'
import { confirmSoon } from '../../../../chain/transfers/tasks.ts'
import { endSettled } from '../../../../money/settlements/on-chain/store.ts'
import { settleRef } from '../../../../money/settlements/on-chain/store-confirmations.ts'
import type { LinkSettlement } from '../../../../money/settlements/settlement.ts'
import { creditSettlements, type PaidLog } from '../../../link/credit.ts'
import { lockLinks, normalCode, type PayLink } from '../../../link/store.ts'
import { settlementTasks } from '../tasks.ts'

/** A claimed payment whose transfer a block holds. */
export type Arrival = {
  code: string
  settlement: LinkSettlement
  log: PaidLog
  /** Whether the same transaction moved it on to the treasury. */
  isSwept: boolean
  asset: Asset
}
/** The link afterwards; undefined if the settlement had already ended. */
export type ArrivalOutcome = { settlement: LinkSettlement; link: PayLink } | undefined

/** Credits many claimed payments in one transaction: one statement a table, whatever their number. */
export const settleLane: Lane<Arrival, ArrivalOutcome> = {
  name: 'settle_claimed',
  async run(tx, at, arrivals) {
    const links = await lockLinks(
      tx,
      at,
      arrivals.map(({ code }) => code),
    )
    const ended = await endSettled(
      tx,
      at,
      arrivals.map((a) => ({ id: a.settlement.id, txHash: a.log.txHash, isSwept: a.isSwept })),
    )
    await release(
      tx,
      at,
      arrivals.map(({ settlement: { id } }) => ({ ref: settleRef(id), outcome: 'settled' })),
    )
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
      const settled: LinkSettlement = {
        ...settlement,
        state: 'settled',
        txHash: log.txHash,
        isSwept,
        settledAt: at,
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
    await confirmSoon(tx, settlementTasks)
    return arrivals.map(({ settlement: { id }, code }) => {
      const settlement = paid.find((one) => one.settlement.id === id)?.settlement
      const link = credited.get(id) ?? links.get(normalCode(code))
      return settlement && link && { settlement, link }
    })
  },
}
