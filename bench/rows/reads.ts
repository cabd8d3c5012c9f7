/** Requests that need no signature: `resolve`, and a card that pays a link. */
import { alternate, type How, type Row } from '../alternate.ts'
import { loadMeasure, type Side } from '../sides.ts'
import { cardRequests } from '../stage/shop.ts'

type Bench = How & { sides: Side[] }

const CONNECTIONS = 64
const RESOLVES = 40_000
const PAYMENTS = 15_000

export const resolveRows = ({ sides, ...how }: Bench): Promise<Row[]> =>
  alternate(
    sides.map((side) =>
      loadMeasure(side, {
        what: 'resolve',
        connections: CONNECTIONS,
        requests: () => Array(RESOLVES).fill(`GET /api/pay/${side.shop.links[0]?.code}/resolve`),
      }),
    ),
    how,
  )

export const cardRows = ({ sides, ...how }: Bench): Promise<Row[]> =>
  alternate(
    sides.map((side) =>
      loadMeasure(side, {
        what: 'card pays a link',
        connections: CONNECTIONS,
        requests: () => cardRequests(side.shop, PAYMENTS),
      }),
    ),
    how,
  )
