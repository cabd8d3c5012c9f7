import { lookAt } from '../../chain/identity/vault.ts'
import type { Tx } from '../../db/sql.ts'
import type { Services } from '../../http/services.ts'
import { enqueueMany } from '../../jobs/queue.ts'
import type { Id } from '../../kernel/ids.ts'
import { type Credential, findLongestUnseen, saveChecked } from '../store.ts'
import { carryIdentityTask } from '../tasks.ts'
import { isSame } from './carry.ts'
import { judge } from './judge.ts'

/** A token in a wallet may move at any time. One in the vault moves by us alone, save after the restore of a backup. */
const AT_ONCE = { WITHDRAWN: 500, CUSTODIAL: 100 } as const

/** Looks at identities that are at rest, those longest unseen first, and carries the ones that the chain shows otherwise. */
export async function watchIdentities(services: Services, _: unknown, at: Date): Promise<void> {
  const { chain, db, settings } = services
  if (settings.identity === null) return
  const { vault } = settings.identity
  const groups = await Promise.all(
    (['WITHDRAWN', 'CUSTODIAL'] as const).map((custody) =>
      findLongestUnseen(db.reader, { custody, limit: AT_ONCE[custody] }),
    ),
  )
  const rows = groups.flat()
  if (rows.length === 0) return
  const cardIds = rows.map(({ cardId }) => cardId)
  const sights = await lookAt(chain, vault, { cardIds, blockTag: 'safe' })
  const isMoved = (row: Credential, i: number): boolean => {
    const safe = sights[i]
    const judged = judge(row, { latest: safe, safe }, { vault, uri: '' })
    return judged.act !== undefined || !isSame(judged.row, row)
  }
  const moved = rows.filter(isMoved).map(({ cardId }) => cardId)
  await db.write(async (tx) => {
    await saveChecked(tx, at, cardIds)
    await carryAll(tx, at, moved)
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
