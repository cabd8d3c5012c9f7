import type { Address, Hex } from '../kernel/assets.ts'
import type { Chain } from './chain.ts'
import { simulateSends } from './simulate.ts'

type Call = { to: Address; data: Hex }
type Asked = {
  call: Call
  resolve(refusal: string | undefined): void
  reject(error: unknown): void
}
/** Who waits for an answer of the chain. Held by the chain, so that callers of one moment share a question. */
export type SimulationQueue = { waiting: Asked[]; running: number }

const RUNNING_MAX = 2
const AT_ONCE = 100

/** As `simulateSend`. What gathers while questions are under way is asked in one. */
export const simulateSoon = (chain: Chain, call: Call): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    chain.simulations.waiting.push({ call, resolve, reject })
    // After those that come in the same turn.
    setImmediate(pump, chain)
  })

function pump(chain: Chain): void {
  const queue = chain.simulations
  while (queue.running < RUNNING_MAX && queue.waiting.length > 0) {
    const batch = queue.waiting.splice(0, AT_ONCE)
    queue.running++
    void answer(chain, batch).finally(() => {
      queue.running--
      pump(chain)
    })
  }
}

async function answer(chain: Chain, batch: Asked[]): Promise<void> {
  try {
    const refusals = await simulateSends(
      chain,
      batch.map(({ call }) => call),
    )
    batch.forEach(({ resolve }, i) => {
      resolve(refusals[i])
    })
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
