import { sealedAnswers } from '../../../api/http/idempotency.ts'
import { sealedWebhookSecrets } from '../../../api/webhooks/store.ts'
import type { Db, Reader } from '../../../base/db/sql.ts'
import { type SealKeys, seal, tryOpen } from '../../../base/kernel/secrets.ts'
import type { Keyring } from '../../../base/signing-keys/keyring.ts'
import { sealedSigningKeys } from '../../../base/signing-keys/store.ts'
import { sealedRequestKeys } from '../../../base/signing-keys/store-requests.ts'
import type { SealedColumn, SealedValue } from '../../../base/signing-keys/store-sealed.ts'
import { sealedFunds } from '../../../members/agreements/store.ts'
import { sealedCardKeys } from '../../../rails/ap2/keys/store.ts'
import { sealedPreparedKeys } from '../../../rails/billing/store.ts'
import { sealedKept } from './store.ts'

/** Everything that the service keeps sealed. A column that is missing here is lost by a rotation. */
export const SEALED: readonly SealedColumn[] = [
  sealedKept,
  sealedSigningKeys,
  sealedRequestKeys,
  sealedCardKeys,
  sealedPreparedKeys,
  ...sealedFunds,
  ...sealedWebhookSecrets,
  sealedAnswers,
]

/** So many values in a transaction: others wait for their rows for a few milliseconds. */
const PART = 200

/** The values of a column by what opens them. `lost` ones open by no secret of this machine. */
export type Standing = { what: string; current: number; previous: number; lost: number }

/** Looks at every value, in parts, and does nothing to it. */
export const countSealed = (on: Reader, secrets: Keyring): Promise<Standing[]> =>
  walk(on, secrets, async () => undefined)

/**
 * Seals by the first secret what another one of the ring has sealed, in parts that each are written whole. Answers what it
 * found, so the values that are in `previous` were sealed anew. May be cut off and run again.
 */
export const resealAll = (
  db: Db,
  secrets: Keyring,
  written: (part: { what: string; rows: number }) => Promise<void>,
): Promise<Standing[]> =>
  walk(db.reader, secrets, async ({ column, keys, values }) => {
    const rows = values.map(({ key, sealed, context, plaintext }) => ({
      key,
      before: sealed,
      after: seal(keys, plaintext, context),
    }))
    await db.write((tx) => column.save(tx, rows))
    await written({ what: column.what, rows: rows.length })
  })

type Part = {
  column: SealedColumn
  keys: SealKeys
  /** Values that another key than the first has sealed. */
  values: (SealedValue & { plaintext: string })[]
}

async function walk(
  on: Reader,
  secrets: Keyring,
  take: (part: Part) => Promise<void>,
): Promise<Standing[]> {
  const standings: Standing[] = []
  for (const column of SEALED) {
    const keys = secrets.keysFor(column.purpose)
    const standing = { what: column.what, current: 0, previous: 0, lost: 0 }
    let after: readonly string[] | undefined
    for (;;) {
      const page = await column.page(on, after, PART)
      const values: Part['values'] = []
      for (const value of page) {
        const opened = tryOpen(keys, value.sealed, value.context)
        if (!opened) standing.lost++
        else if (opened.place === 0) standing.current++
        else values.push({ ...value, plaintext: opened.plaintext })
      }
      standing.previous += values.length
      if (values.length > 0) await take({ column, keys, values })
      if (page.length < PART) break
      after = page.at(-1)?.key
    }
    standings.push(standing)
  }
  return standings
}

/** The kinds of which some are meant, each with its number: "2 secrets of webhooks, 1 keys of cards". */
export const namedCounts = (
  standings: readonly Standing[],
  of: Exclude<keyof Standing, 'what'>,
): string =>
  standings
    .filter((standing) => standing[of] > 0)
    .map((standing) => `${standing[of]} ${standing.what}`)
    .join(', ')
