import type { Chain } from '../../client/chain.ts'
import { perChain } from '../../client/per-chain.ts'
import { simulateTransfers, type TransferAnswer, type TransferCall } from '../../client/simulate.ts'

type Asked = {
  call: TransferCall
  resolve(answer: TransferAnswer): void
  reject(error: unknown): void
}

const queues = perChain((): { waiting: Asked[]; running: number } => ({ waiting: [], running: 0 }))

const RUNNING_MAX = 2
/** The most calls that a node answers at once, with a balance read for each. */
const AT_ONCE = 100

/** As `simulateTransfers`. Calls that arrive while earlier questions are running share the next question. */
export const simulateSoon = (chain: Chain, call: TransferCall): Promise<TransferAnswer> =>
  new Promise((resolve, reject) => {
    queues(chain).waiting.push({ call, resolve, reject })
    // Waits for other calls of the same turn.
    setImmediate(pump, chain)
  })

function pump(chain: Chain): void {
  const queue = queues(chain)
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
    const answers = await simulateTransfers(
      chain,
      batch.map(({ call }) => call),
    )
    batch.forEach(({ resolve }, i) => {
      resolve(answers[i] as TransferAnswer)
    })
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
