import { setTimeout as sleep } from 'node:timers/promises'
import { steadyNow } from '../../kernel/clock.ts'
import { inSchema, schemaOf } from '../pool/schema.ts'
import { openDb } from '../sql.ts'
import { keepMarks, readMark, readProof, type Unfit } from './proof.ts'

const LOOK_MS = 50

/**
 * Asks both servers whether the one is a standby of the other, and gives it `patienceMs` to show what the primary has now. Throws
 * the error of a server that does not answer.
 */
export async function examineReplica(
  url: string,
  primary: { url: string; isPooled: boolean },
  patienceMs: number,
): Promise<Unfit | undefined> {
  const toPrimary = openDb(primary.url, 1, 'probe', primary.isPooled)
  const toReplica = openDb(inSchema(url, schemaOf(primary.url)), 1, 'probe')
  const startedAt = steadyNow()
  try {
    const marks = keepMarks()
    marks.add(await readMark(toPrimary.reader))
    for (;;) {
      const unfit = marks.judge(await readProof(toReplica.reader), Number.POSITIVE_INFINITY)
      if (unfit !== 'behind' || steadyNow() - startedAt > patienceMs) return unfit
      await sleep(LOOK_MS)
    }
  } finally {
    void toPrimary.close().catch(() => undefined)
    void toReplica.close().catch(() => undefined)
  }
}
