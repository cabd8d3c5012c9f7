import type { Destination } from '../../../base/egress/keep-alive.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import type { Uses } from '../../http/services.ts'
import { grant, namesOf, type Turns } from './grant.ts'
import { lockHosts, proveHosts, saveHosts, wakeHosts } from './store.ts'

type Asked = { destination: Destination; wanted: number }

/** Turns for requests to these destinations, of all wallets and processes together, in the order of the list. */
export const takeTurns = (
  { db, settings }: Uses<'db' | 'settings'>,
  at: Date,
  asked: readonly Asked[],
): Promise<Turns[]> =>
  db.write(async (tx) => {
    const names = asked.flatMap(({ destination }) => namesOf(destination))
    const rows = new Map((await lockHosts(tx, at, names)).map((row) => [row.name, row]))
    const rate = settings.webhooks.hostRate
    const turns = asked.map(({ destination, wanted }) =>
      grant(
        at,
        namesOf(destination).flatMap((name) => rows.get(name) ?? []),
        { wanted, rate },
      ),
    )
    await saveHosts(tx, [...rows.values()])
    return turns
  })

/** Takes the turn for one request. Waits for one if there is none now. */
export async function takeTurn(
  services: Uses<'db' | 'settings'>,
  at: Date,
  destination: Destination,
): Promise<Date | undefined> {
  const [turn] = await takeTurns(services, at, [{ destination, wanted: 1 }])
  return turn && turn.granted > 0 ? undefined : (turn?.nextAt ?? addSeconds(at, 1))
}

/** Writes down that these destinations have answered with 2xx. */
export const prove = (
  { db }: Uses<'db'>,
  at: Date,
  destinations: readonly Destination[],
): Promise<void> =>
  db.write(async (tx) => {
    await proveHosts(tx, at, destinations.flatMap(namesOf))
    await wakeHosts(
      tx,
      at,
      destinations.map(({ host }) => host),
    )
  })
