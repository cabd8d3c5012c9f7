import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { outageOf, outageSentence } from '../../../base/db/outage.ts'

const AGAIN_MS = 2_000

/**
 * Does what a start has to write: at once, or once the database takes writes again. Until then the service serves what can be read,
 * and `/readyz` says what is wrong.
 */
export async function writeNowOrLater(
  { log, stack }: { log: Logger; stack: AsyncDisposableStack },
  work: () => Promise<void>,
): Promise<void> {
  const attempt = () =>
    work().then(
      () => true,
      (error) => {
        if (!outageOf(error)) throw error
        log.error({ err: error }, outageSentence(error))
        return false
      },
    )
  if (await attempt()) return
  let isEnding = false
  stack.defer(() => {
    isEnding = true
  })
  const later = async () => {
    for (let isDone = false; !isDone && !isEnding; isDone = await attempt()) await sleep(AGAIN_MS)
  }
  void later().catch((error) => log.error({ err: error }, 'a start is not complete'))
}
