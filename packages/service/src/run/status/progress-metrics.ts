import { Gauge, type Registry } from 'prom-client'
import type { Services } from '../../api/http/services.ts'
import { readOldestDue } from '../../base/jobs/queue.ts'
import { within } from '../../base/kernel/clock.ts'
import { readPlaces } from '../../business/stats/store-progress.ts'
import type { Chain } from '../../chain/client/chain.ts'
import { readBlock } from '../../chain/client/reads.ts'
import { readSecondsBehind } from '../../money/ledger/follow.ts'
import { kept, readKeptBlock } from './kept.ts'

/** A scrape must not wait for a node that does not answer. */
const PATIENCE_MS = 2_000

const readKeptSafe = kept((chain: Chain) => readBlock(chain, 'safe'))

/** Measures what is behind: jobs behind their time, figures behind the books, the chain behind the clock. */
export function addProgressGauges(registry: Registry, services: Services): void {
  const { db } = services
  const common = { aggregator: 'first' as const, registers: [registry] }
  new Gauge({
    ...common,
    name: 'purser_jobs_oldest_due_seconds',
    help: 'For how long the first of the due jobs has waited; grows while no worker runs',
    async collect() {
      this.set(await readOldestDue(db.reader))
    },
  })
  new Gauge({
    ...common,
    name: 'purser_follower_behind_seconds',
    help: 'For how long the oldest batch of the books has waited to be counted in the figures of cards',
    async collect() {
      this.set(await readSecondsBehind(db.reader, await readPlaces(db.reader)))
    },
  })
  addChainGauges(registry, services)
}

function addChainGauges(registry: Registry, { chain, clock }: Services): void {
  const gauge = (
    name: string,
    help: string,
    read: (ages: Ages | undefined) => number | undefined,
  ) =>
    new Gauge({
      name,
      help,
      aggregator: 'first',
      registers: [registry],
      async collect() {
        const value = read(await readAges(chain, clock.now()))
        if (value === undefined) this.remove()
        else this.set(value)
      },
    })
  gauge('purser_chain_up', '1 if a node of the chain answers', (ages) => (ages ? 1 : 0))
  gauge(
    'purser_chain_head_age_seconds',
    'The age of the newest block; absent while no node answers',
    (ages) => ages?.head,
  )
  gauge(
    'purser_chain_safe_age_seconds',
    'The age of the newest safe block; absent while no node answers',
    (ages) => ages?.safe,
  )
}

type Ages = { head: number; safe: number }

/** The ages in seconds; undefined while no node answers. */
function readAges(chain: Chain, at: Date): Promise<Ages | undefined> {
  const ageOf = (block: { at: Date }) => Math.max(0, (at.getTime() - block.at.getTime()) / 1000)
  const ages = Promise.all([readKeptBlock(chain), readKeptSafe(chain)]).then(([head, safe]) => ({
    head: ageOf(head),
    safe: ageOf(safe),
  }))
  return within(
    ages.catch(() => undefined),
    PATIENCE_MS,
    () => undefined,
  )
}
