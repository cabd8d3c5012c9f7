/** The services under test: this tree, and one to compare it with. */
import { fire, type Load, type Target } from './load/fire.ts'
import { type BenchService, startService } from './stage/service.ts'
import { openShop, type Shop, settleRequests } from './stage/shop.ts'

export type Side = { who: string; service: BenchService; shop: Shop; target: Target }
export type SideOptions = { who: string; folder?: string; nodeFlags?: string[] }

const WARMING = { requests: 6_000, connections: 64 }

/** Starts a service, opens its cards and links, and settles once, since the first requests of a process compile it. */
export async function openSide(
  { who, ...tree }: SideOptions,
  payers: number,
  stack: AsyncDisposableStack,
): Promise<Side> {
  const service = await startService({}, tree)
  stack.defer(() => service.stop())
  const shop = await openShop(service, { payers, links: 200, cardLimit: 0.1 })
  const side = { who, service, shop, target: { ...service, pids: [service.pid] } }
  const { connections } = WARMING
  await fire(side.target, {
    connections,
    requests: await settleRequests(shop, WARMING.requests, 0),
  })
  return side
}

const REPLAYS_PERCENT = 5

/** AP2 settlements, each by a mandate signed for this run; some are sent twice. */
export const settleMeasure = (side: Side, load: { connections: number; count: number }) => ({
  what: `AP2 settle, ${side.who}`,
  connections: load.connections,
  run: async () =>
    fire(side.target, {
      connections: load.connections,
      requests: await settleRequests(side.shop, load.count, REPLAYS_PERCENT),
    }),
})

/** The same request repeatedly, or the requests that `requests` makes for each run. */
export const loadMeasure = (
  side: Side,
  of: { what: string; connections: number; requests: () => Load['requests'] },
) => ({
  what: `${of.what}, ${side.who}`,
  connections: of.connections,
  run: () => fire(side.target, { connections: of.connections, requests: of.requests() }),
})
