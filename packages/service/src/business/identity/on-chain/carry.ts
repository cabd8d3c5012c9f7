import type { Uses } from '../../../api/http/services.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { enqueue } from '../../../base/jobs/queue.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import type { Id } from '../../../base/kernel/ids.ts'
import { lookAt } from '../../../chain/client/identity/vault.ts'
import { findMinedHash } from '../../../chain/relay/send.ts'
import { noteHolderAccount } from '../../stats/store.ts'
import { update } from '../request.ts'
import { findIdentityRow, type IdentityRow, lockIdentityRow, saveIdentityRow } from '../store.ts'
import { identityArrived, identityDetached } from '../tasks.ts'
import { doAct } from './act.ts'
import { type Judgement, judge, type View } from './judge.ts'

/**
 * Advances an identity by one step. The vault's records alone decide, so that a lost receipt, another sender of the same bytes
 * and a restored backup are the same case. Returns true once nothing is left to do. Safe to repeat, and to run concurrently.
 */
export async function carryIdentity(
  services: Uses<'chain' | 'db' | 'log' | 'relay' | 'settings'>,
  at: Date,
  cardId: Id<'card'>,
): Promise<boolean> {
  const { db, settings } = services
  const row = await findIdentityRow(db.reader, cardId)
  if (!row) return true
  if (settings.identity === null) {
    if (row.state === 'PENDING') await failMint(services, at, { row, reason: 'no_vault' })
    return true
  }
  const judged = await judgeNow(services, settings.identity.vault, row)
  if (!judged) return false
  const stored = await storeJudged(services, at, { row, judged })
  if (!stored) return false
  if (judged.act && (await doAct(services, at, { row: stored, act: judged.act }))) return true
  return !judged.act && isAtRest(stored)
}

const isAtRest = ({ state }: IdentityRow): boolean =>
  state === 'FINAL' || state === 'DETACHED' || state === 'FAILED'

/** Undefined if the chain has lost a token that was final: another chain answers, or its past was changed. */
async function judgeNow(
  { chain, log }: Uses<'chain' | 'log'>,
  vault: Address,
  row: IdentityRow,
): Promise<Judgement | undefined> {
  const { cardId } = row
  const cardIds = [cardId]
  const [[latest], [safe]] = await Promise.all([
    lookAt(chain, vault, { cardIds, blockTag: 'latest' }),
    lookAt(chain, vault, { cardIds, blockTag: 'safe' }),
  ])
  const view: View = { latest, safe }
  const isLost = row.tokenId !== null && safe?.tokenId !== row.tokenId
  if (!isLost) return judge(row, view, vault)
  log.error({ card: cardId }, 'the chain does not show an identity token that was final there')
  return undefined
}

/** Stores what was judged, unless the row has changed since it was read. Undefined then. */
async function storeJudged(
  services: Uses<'db'>,
  at: Date,
  { row, judged }: { row: IdentityRow; judged: Judgement },
): Promise<IdentityRow | undefined> {
  const { db } = services
  const txHash = (row.sendRef && (await findMinedHash({ db }, row.sendRef))) || row.txHash
  const next = { ...judged.row, txHash }
  if (isSame(row, next)) return row
  reach('identity.before_state')
  const stored = await db.write(async (tx) => {
    const now = await lockIdentityRow(tx, row.cardId)
    if (!now || !isSame(now, row)) return undefined
    await storeNext(tx, at, { row, next })
    return next
  })
  reach('identity.after_state')
  return stored
}

async function storeNext(
  tx: Tx,
  at: Date,
  { row, next }: { row: IdentityRow; next: IdentityRow },
): Promise<void> {
  if (row.state === next.state && row.custody === next.custody) await saveIdentityRow(tx, next)
  else await update(tx, at, next)
  if (row.holderAddress === null && next.holderAddress !== null)
    await noteHolderAccount(tx, { cardId: row.cardId, address: next.holderAddress })
  const isBack = row.custody === 'WITHDRAWN' && next.custody === 'CUSTODIAL'
  if (isBack || (next.state === 'DETACHED' && row.state !== 'DETACHED'))
    await enqueue(tx, identityDetached, { card_id: row.cardId })
  await noteArrival(tx, { row, next })
}

async function noteArrival(tx: Tx, { row, next }: { row: IdentityRow; next: IdentityRow }) {
  const { cardId, ownerWallet: owner, txHash } = next
  const hasArrived = next.state === 'FINAL' && (row.state === 'MINTED' || row.move === 'assign')
  if (hasArrived && txHash)
    await enqueue(tx, identityArrived, { card_id: cardId, owner, tx_hash: txHash })
}

/** Whether nothing differs that a judgement or a transaction of ours would change. */
export const isSame = (a: IdentityRow, b: IdentityRow): boolean =>
  (Object.keys(a) as (keyof IdentityRow)[]).every((key) => key === 'createdAt' || a[key] === b[key])

export const failMint = (
  { db }: Uses<'db'>,
  at: Date,
  { row, reason }: { row: IdentityRow; reason: string },
): Promise<void> =>
  db.write(async (tx) => {
    const now = await lockIdentityRow(tx, row.cardId)
    if (now?.state === 'PENDING' && now.attempts === row.attempts)
      await update(tx, at, { ...now, state: 'FAILED', reason })
  })
