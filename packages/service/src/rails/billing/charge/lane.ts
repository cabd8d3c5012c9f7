import { record } from '../../../api/events/record.ts'
import { perServices, type Uses } from '../../../api/http/services.ts'
import type { Lane } from '../../../base/db/lanes/lane.ts'
import { send, type Tx } from '../../../base/db/sql.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { assetOf } from '../../../chain/client/rails.ts'
import { type Agreement, newCharge } from '../../../members/agreements/agreement.ts'
import { currentPeriod, lastPeriod, scheduled } from '../../../members/agreements/schedule.ts'
import {
  findPeriodCharges,
  lockDueAgreements,
  saveAgreementsStatement,
} from '../../../members/agreements/store.ts'
import { type Due, decideCharges, opened, writeCharges } from './charge.ts'
import { afterLastPeriod } from './outcome.ts'

/**
 * Charges agreements that are due, many in one transaction. An agreement's row is locked first, so that nothing is charged
 * after a pause or a cancel was answered, and its period is charged once.
 */
export const chargeLane = perServices(
  (
    services: Uses<'chain' | 'db' | 'sealKey' | 'settings' | 'signing'>,
  ): Lane<Agreement['id'], void> => ({
    name: 'charges',
    async run(tx, at, ids) {
      await chargeDue(tx, at, { services, ids })
      return ids.map(() => undefined)
    },
  }),
)

async function chargeDue(
  tx: Tx,
  at: Date,
  {
    services,
    ids,
  }: {
    services: Uses<'chain' | 'db' | 'sealKey' | 'settings' | 'signing'>
    ids: readonly string[]
  },
): Promise<void> {
  const locked = await lockDueAgreements(tx, at, ids)
  const [ending, going] = split(locked, ({ endsAt }) => endsAt !== null && endsAt <= at)
  await endAgreements(tx, at, { services, agreements: ending })
  const { dues, passed } = await duesOf(tx, at, going)
  // The clock was set back, or a period was charged by an earlier run: there is nothing to charge yet.
  send(tx, saveAgreementsStatement(passed.map((agreement) => scheduled(agreement, at))))
  if (dues.length === 0) return
  const funded = dues.map((due) => opened(due, services.sealKey))
  const { rows, decided } = await decideCharges(tx, at, { services, dues: funded })
  await writeCharges(tx, at, { services, rows, dues, decided })
  reach('agreements.before_charge')
}

async function endAgreements(
  tx: Tx,
  at: Date,
  { services, agreements }: { services: Uses<'chain'>; agreements: readonly Agreement[] },
): Promise<void> {
  const ended = agreements.map((one) => afterLastPeriod(at, one, assetOf(services.chain, one)))
  send(tx, saveAgreementsStatement(ended.map(({ agreement }) => agreement)))
  await record(
    tx,
    at,
    ended.flatMap(({ events }) => events),
  )
}

/** The charges of locked agreements for the period that is current now, and the agreements whose period is charged. */
export async function duesOf(
  tx: Tx,
  at: Date,
  agreements: readonly Agreement[],
): Promise<{ dues: Due[]; passed: Agreement[] }> {
  const open = agreements.filter(({ status }) => status === 'ACTIVE' || status === 'PAST_DUE')
  const places = open.map((agreement) => ({
    agreement,
    agreementId: agreement.id,
    periodNo: currentPeriod(agreement, at),
  }))
  const known = await findPeriodCharges(tx, places)
  const [charged, due] = split(
    places,
    ({ agreement, periodNo }) =>
      lastPeriod(agreement) === periodNo || known.get(agreement.id)?.status === 'SUCCEEDED',
  )
  const paused = agreements.filter((one) => !open.includes(one))
  return {
    dues: due.map(({ agreement, periodNo }) => {
      const charge = known.get(agreement.id)
      return charge
        ? { agreement, charge: { ...charge, attempts: charge.attempts + 1 }, isRetry: true }
        : { agreement, charge: newCharge(at, { agreement, periodNo }), isRetry: false }
    }),
    passed: [...charged.map(({ agreement }) => agreement), ...paused],
  }
}

function split<T>(all: readonly T[], is: (one: T) => boolean): [yes: T[], no: T[]] {
  return [all.filter(is), all.filter((one) => !is(one))]
}
