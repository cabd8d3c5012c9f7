import type { Uses } from '../../../api/http/services.ts'
import { inSnapshot } from '../../../base/db/snapshot.ts'
import { Kept } from '../../../base/kernel/bounded.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { type PublishedKey, publicJwks } from '../../../base/signing-keys/signing-keys.ts'
import { shownAsset } from '../../../chain/client/rails.ts'
import type { Credential } from '../find.ts'
import { tagsOf } from './leaf.ts'
import { readSamples, type Sample } from './samples.ts'
import { signStatement, statementOf } from './statement.ts'
import { type Walking, walkLeaves } from './walk.ts'

export type Proof = { statement: string; keys: PublishedKey[]; samples: Sample[] }
export type Asked = { credential: Credential; at: Date }

/** Proofs that one process makes at once, and exports: each walks over everything that a card received. */
const AT_ONCE = 2
/** A proof of a card is given again for so long. */
const KEPT_MS = 60_000
const KEPT_MAX = 200

/** The proofs that a process is making and has made. */
export type Proofs = {
  running: number
  /** The wallets that read an export now. */
  readonly exporting: Set<string>
  readonly kept: Kept<Proof>
}
export const newProofs = (): Proofs => ({
  running: 0,
  exporting: new Set(),
  kept: new Kept(KEPT_MAX),
})

/** A place among the few that make proofs at once. Throws 503 if there is none. */
function enter(proofs: Proofs): Disposable {
  if (proofs.running >= AT_ONCE) throw crowded('Other proofs are being made.')
  proofs.running++
  return {
    [Symbol.dispose]() {
      proofs.running--
    },
  }
}

/** A place among the few that read exports at once, one a wallet: its reader decides how long it takes. Throws 429 or 503. */
export function enterExport({ exporting }: Proofs, wallet: string): Disposable {
  if (exporting.has(wallet))
    throw new Problem('rate_limited', 'You are reading an export. Read it to its end first.', {
      headers: { 'retry-after': '5' },
    })
  if (exporting.size >= AT_ONCE) throw crowded('Other exports are being read.')
  exporting.add(wallet)
  return {
    [Symbol.dispose]() {
      exporting.delete(wallet)
    },
  }
}

const crowded = (what: string): Problem =>
  new Problem('overloaded', `${what} Try again in 5 seconds.`, { headers: { 'retry-after': '5' } })

export const walkingOf = (
  { chain, sealKey }: Uses<'chain' | 'sealKey'>,
  { credential: { card }, at }: Asked,
): Walking => ({
  cardId: card.id,
  asset: shownAsset(chain, card),
  at,
  tagOf: tagsOf(sealKey[0], card.id),
})

/** The signed figures with samples. Callers of one card share a proof, for a minute. */
export function prove(
  services: Uses<'chain' | 'db' | 'sealKey' | 'settings' | 'signing'>,
  proofs: Proofs,
  asked: Asked,
): Promise<Proof> {
  const { credential, at } = asked
  const ask = () => make(services, proofs, asked)
  return proofs.kept.get(credential.card.id, at, { ms: KEPT_MS, ask })
}

async function make(
  services: Uses<'chain' | 'db' | 'sealKey' | 'settings' | 'signing'>,
  proofs: Proofs,
  asked: Asked,
): Promise<Proof> {
  using _place = enter(proofs)
  const { db, settings } = services
  const { credential, at } = asked
  const walking = walkingOf(services, asked)
  const { content, samples } = await db.together((on) =>
    inSnapshot(on, async () => {
      const walked = await walkLeaves(on, walking)
      return {
        content: await statementOf(on, { credential, walking, walked }, settings.publicUrl),
        samples: await readSamples(on, walking, walked),
      }
    }),
  )
  const statement = await signStatement(services, content, at)
  return { statement, keys: (await publicJwks(db.reader)).keys, samples }
}
