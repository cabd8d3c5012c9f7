import { iso } from '../../api/http/fields.ts'
import type { Services, Uses } from '../../api/http/services.ts'
import { formatAmount } from '../../base/kernel/money.ts'
import type { Rail } from '../../chain/client/chain.ts'
import { railsOf } from '../../chain/client/rails.ts'
import { reasonToHold } from '../../links/reconcile/payouts.ts'
import { countAlarms, findAlarms, findComparison } from '../../links/reconcile/store.ts'
import { findPayoutStanding } from '../../links/reconcile/store-payouts.ts'
import { findCursor } from '../../links/watcher/store.ts'
import { readHead } from '../status/checks.ts'
import { progressOf, readComponents } from '../status/components.ts'
import { alarmView } from './alarm-view.ts'

const ALARMS_SHOWN = 50

/** The state of the whole service as its operators see it, by the measures of the status page and of the metrics. */
export async function readOverview(services: Services, at: Date) {
  const { db, chain, settings } = services
  const { head, lagSeconds } = await readHead(services, at)
  const [components, counts, alarms, cursor, books] = await Promise.all([
    readComponents(services, head),
    countAlarms(db.reader),
    findAlarms(db.reader, ALARMS_SHOWN),
    findCursor(db.reader, chain.network),
    Promise.all(railsOf(chain).map((rail) => readBooks(services, rail))),
  ])
  return {
    at: iso(at),
    version: settings.version,
    mode: settings.mode,
    components,
    alarms: {
      open: counts.reduce((sum, { alarms: some }) => sum + Number(some), 0),
      newest: alarms.map(alarmView),
    },
    chain: {
      network: chain.network,
      head,
      lag_seconds: lagSeconds,
      watched_block: cursor ? Number(cursor.block) : null,
      blocks_behind: cursor ? Number(progressOf(cursor).behind) : null,
    },
    books,
  }
}

/** Books and chain as they were last compared in one asset, and whether its payouts are held. */
async function readBooks({ db }: Uses<'db'>, rail: Rail) {
  const { network, asset } = rail
  const of = { network, asset: asset.symbol }
  const [last, standing] = await Promise.all([
    findComparison(db.reader, of),
    findPayoutStanding(db.reader, of),
  ])
  const why = reasonToHold(rail, standing)
  const amount = (units: bigint) => formatAmount(units, asset.decimals)
  return {
    network,
    asset: asset.symbol,
    payouts: { are_held: why !== undefined, why: why ?? null },
    compared: last
      ? {
          at: iso(last.comparedAt),
          block: Number(last.block),
          on_chain: amount(last.onChain),
          owed: amount(last.owed),
          unclaimed: amount(last.unclaimed),
          awaited: amount(last.awaited),
          early: amount(last.early),
          departed: amount(last.departed),
          ahead: amount(last.ahead),
          opening: amount(last.opening - last.claimed),
          difference: amount(last.difference),
        }
      : null,
  }
}
