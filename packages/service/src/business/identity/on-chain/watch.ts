import type { Uses } from '../../../api/http/services.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { enqueueMany } from '../../../base/jobs/queue.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import { lookAt } from '../../../chain/client/identity/vault.ts'
import { readUriRation } from '../ration.ts'
import { findLongestUnseen, saveChecked } from '../store.ts'
import { carryIdentityTask } from '../tasks.ts'
import { isSame } from './carry.ts'
import { judge } from './judge.ts'

/** A token in a wallet may move at any time. One in the vault moves by us alone, save after the restore of a backup. */
const AT_ONCE = { WITHDRAWN: 500, CUSTODIAL: 100 } as const
/** Changes of URIs that one look starts: relayers are for payments first. */
const URIS_AT_ONCE = 20

/** Looks at identities that are at rest, those longest unseen first, and carries the ones that the chain shows otherwise. */
export async function watchIdentities(
  services: Uses<'chain' | 'db' | 'settings'>,
  _: unknown,
  at: Date,
): Promise<void> {
  const { chain, db, settings } = services
  if (settings.identity === null) return
  const { vault, perDay } = settings.identity
  const groups = await Promise.all(
    (['WITHDRAWN', 'CUSTODIAL'] as const).map((custody) =>
      findLongestUnseen(db.reader, { custody, limit: AT_ONCE[custody] }),
    ),
  )
  const rows = groups.flat()
  if (rows.length === 0) return
  const cardIds = rows.map(({ cardId }) => cardId)
  const sights = await lookAt(chain, vault, { cardIds, blockTag: 'safe' })
  const due = rows.flatMap((row, i) => {
    const safe = sights[i]
    const judged = judge(row, { latest: safe, safe }, vault)
    const isDue = judged.act !== undefined || !isSame(judged.row, row)
    return isDue ? [{ cardId: row.cardId, isUri: judged.act?.kind === 'setAgentURI' }] : []
  })
  const uris = Math.min(URIS_AT_ONCE, await readUriRation(db.reader, at, perDay))
  const carried = [
    ...due.filter(({ isUri }) => !isUri),
    ...due.filter(({ isUri }) => isUri).slice(0, uris),
  ].map(({ cardId }) => cardId)
  await db.write(async (tx) => {
    await saveChecked(tx, at, cardIds)
    await carryAll(tx, at, carried)
  })
}

export async function carryAll(tx: Tx, at: Date, cardIds: readonly Id<'card'>[]): Promise<void> {
  await saveChecked(tx, at, cardIds)
  await enqueueMany(
    tx,
    carryIdentityTask,
    cardIds.map((card_id) => ({ card_id })),
  )
}
