/** AP2 settle with a million settlements stored, in turn with a service that has only those of this run. */
import { alternate, type How, type Row } from '../alternate.ts'
import { openSide, type Side, settleMeasure } from '../sides.ts'
import { fillSettlements } from '../stage/fill.ts'

type Bench = How & { sides: Side[]; stack: AsyncDisposableStack }

const SETTLEMENTS = 1_000_000
const PAYERS = 5_000
const CONNECTIONS = [64, 256]
const REQUESTS = 15_000

export async function millionRows({ sides, runs, print, stack }: Bench): Promise<Row[]> {
  const [empty] = sides
  if (!empty) return []
  const full = await openSide({ who: 'beside a million' }, PAYERS, stack)
  const filled = await fillSettlements(full.service.databaseUrl, full.shop, SETTLEMENTS)
  print(`a million settlements written by SQL, ${filled} a second`)
  const measures = CONNECTIONS.flatMap((connections) =>
    [empty, full].map((side) => settleMeasure(side, { connections, count: REQUESTS })),
  )
  return alternate(measures, { runs, print })
}
