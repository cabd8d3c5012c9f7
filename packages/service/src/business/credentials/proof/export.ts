import { PassThrough, type Readable } from 'node:stream'
import type { Uses } from '../../../api/http/services.ts'
import { inSnapshot } from '../../../base/db/snapshot.ts'
import { deadlineIn } from '../../../base/kernel/clock.ts'
import { publicJwks } from '../../../base/signing-keys/signing-keys.ts'
import { type Asked, enterExport, type Proofs, walkingOf } from './proof.ts'
import { signStatement, statementOf } from './statement.ts'
import { walkLeaves } from './walk.ts'

/** A reader that takes nothing for so long is cut off: the export holds a snapshot of the database. */
const READ_WITHIN_MS = 2_000
/** An export ends with the reader who takes longer. A million leaves are some 150 MB, and take a minute. */
const EXPORT_MS = 300_000
const BUFFER_BYTES = 1024 * 1024

type Exporting = Asked & { wallet: string; closing: AbortSignal }

/**
 * Every leaf, a line each, and the signed figures as the last line. No more is read while the reader has not taken what it
 * has, so an export of any size takes little memory. One without its last line is not whole.
 */
export function exportLeaves(
  services: Uses<'chain' | 'db' | 'sealKey' | 'settings' | 'signing'>,
  proofs: Proofs,
  asked: Exporting,
): Readable {
  const place = enterExport(proofs, asked.wallet)
  const out = new PassThrough({ highWaterMark: BUFFER_BYTES })
  writeAll(services, asked, out)
    .catch((error) => out.destroy(error))
    .finally(() => place[Symbol.dispose]())
  return out
}

async function writeAll(
  services: Uses<'chain' | 'db' | 'sealKey' | 'settings' | 'signing'>,
  asked: Exporting,
  out: PassThrough,
): Promise<void> {
  const { db, settings } = services
  const { credential, at, closing } = asked
  const walking = walkingOf(services, asked)
  using over = deadlineIn(EXPORT_MS, closing)
  const content = await db.together((on) =>
    inSnapshot(on, async () => {
      const walked = await walkLeaves(on, walking, async (leaves) => {
        if (over.signal.aborted || out.destroyed) throw new Error('the export was ended')
        if (!out.write(`${leaves.join('\n')}\n`)) await drained(out)
      })
      return statementOf(on, { credential, walking, walked }, settings.publicUrl)
    }),
  )
  const statement = await signStatement(services, content, at)
  out.end(`${JSON.stringify({ statement, jwks: await publicJwks(db.reader) })}\n`)
}

/** Waits until the reader has taken what was written. Throws for one that takes nothing. */
async function drained(out: PassThrough): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const gone = () => reject(new Error('the reader is gone'))
  const late = setTimeout(() => reject(new Error('the reader takes nothing')), READ_WITHIN_MS)
  out.once('drain', resolve).once('close', gone)
  try {
    await promise
  } finally {
    clearTimeout(late)
    out.off('drain', resolve).off('close', gone)
  }
}
