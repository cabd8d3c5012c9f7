import type { Uses } from '../../../api/http/services.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import { reach } from '../../../base/kernel/fault-points.ts'
import { signAct, type VaultAct, type VaultCall } from '../../../chain/client/identity/vault.ts'
import { simulateSend } from '../../../chain/client/simulate.ts'
import {
  findSend,
  queueSend,
  type SendState,
  sendAndWait,
  withdrawSend,
} from '../../../chain/relay/send.ts'
import { callOfSend, isSendSafe, isUnsent } from '../../../chain/transfers/sends.ts'
import { takeRation, takeUriRation } from '../ration.ts'
import { update } from '../request.ts'
import { type IdentityRow, lockIdentityRow, saveIdentityRow } from '../store.ts'
import { URI_REFUSED } from './judge.ts'

/** The time that one look waits for a block to hold the transaction. */
const WAIT_MS = 6_000

type Wanted = { row: IdentityRow; act: VaultAct }

/**
 * Sends what the vault should do, one transaction after the other. Returns true if it was given up: the mint or the release
 * failed, and its row says so.
 */
export async function doAct(
  services: Uses<'chain' | 'db' | 'log' | 'relay' | 'settings'>,
  at: Date,
  { row, act }: Wanted,
): Promise<boolean> {
  const { relay } = services
  const send = row.sendRef === null ? undefined : await findSend(services, row.sendRef)
  if (send && !(await isSendSafe(services.chain, send))) {
    if (await isHopeless(services, send)) await takeBack(services, row)
    else await sendAndWait(relay, send.ref, WAIT_MS)
    return false
  }
  if (send && send.succeeded === false && isOf(send, act))
    if (await giveUp(services, at, { row, act, reason: 'reverted' })) return true
  const call = await signedCall(services, act)
  const refusal = await simulateSend(services.chain, call)
  if (refusal !== undefined) {
    services.log.warn({ card: row.cardId, act: act.kind, refusal }, 'the vault refuses an act')
    return giveUp(services, at, { row, act, reason: 'refused' })
  }
  const ref = await queueAct(services, at, { row, act, call })
  if (ref !== undefined) await sendAndWait(relay, ref, WAIT_MS)
  // Without gas for it today, a later look at identities at rest asks for it again.
  return ref === undefined && act.kind === 'setAgentURI'
}

const refOf = ({ cardId, attempts }: IdentityRow, { kind }: VaultAct): string =>
  `identity:${cardId}:${attempts}:${kind}`
const isOf = ({ ref }: SendState, { kind }: VaultAct): boolean => ref.endsWith(`:${kind}`)

async function signedCall(
  { chain, settings }: Uses<'chain' | 'settings'>,
  act: VaultAct,
): Promise<VaultCall> {
  assert(settings.identity, 'an act has a vault')
  const call = await signAct(chain, settings.identity.vault, act)
  reach('identity.after_sign')
  return call
}

/** Whether the vault would refuse a transaction that no relayer has taken yet: another act came first. */
async function isHopeless({ chain }: Uses<'chain'>, send: SendState): Promise<boolean> {
  return isUnsent(send) && (await simulateSend(chain, callOfSend(send))) !== undefined
}

async function takeBack({ db }: Uses<'db'>, { cardId, sendRef }: IdentityRow): Promise<void> {
  await db.write(async (tx) => {
    const now = await lockIdentityRow(tx, cardId)
    if (!now || sendRef === null || now.sendRef !== sendRef) return
    if (await withdrawSend(tx, sendRef)) await saveIdentityRow(tx, { ...now, sendRef: null })
  })
}

/**
 * Queues the transaction in the transaction that counts it. Undefined if the row has changed since, or if today's gas is
 * used up: a later look tries again.
 */
async function queueAct(
  { db, settings }: Uses<'db' | 'settings'>,
  at: Date,
  { row, act, call }: Wanted & { call: VaultCall },
): Promise<string | undefined> {
  const ref = await db.write(async (tx) => {
    const now = await lockIdentityRow(tx, row.cardId)
    const isNow =
      now?.attempts === row.attempts &&
      now.state === row.state &&
      now.move === row.move &&
      now.ownerWallet === row.ownerWallet &&
      now.baseUrl === row.baseUrl
    if (!isNow || !(await hasGas(tx, at, { row: now, act, settings }))) return undefined
    const sent = { ...now, attempts: now.attempts + 1 }
    const sendRef = refOf(sent, act)
    await saveIdentityRow(tx, { ...sent, sendRef })
    await queueSend(tx, at, { ref: sendRef, ...call })
    return sendRef
  })
  reach('identity.after_queue')
  return ref
}

/** Counts what is not counted when it is asked for, as a mint and a withdrawal are. */
function hasGas(
  tx: Tx,
  at: Date,
  { row, act, settings }: Wanted & Uses<'settings'>,
): Promise<boolean> {
  const perDay = settings.identity?.perDay ?? 0
  if (act.kind === 'setAgentURI') return takeUriRation(tx, at, perDay)
  if (act.kind !== 'assign' || row.askedBy === null) return Promise.resolve(true)
  return takeRation(tx, at, { wallet: row.askedBy, what: 'moves', perDay })
}

/** Ends a mint, a withdrawal or a change of a URI that the chain does not do. An owner of record is assigned until it is done. */
async function giveUp(
  { db }: Uses<'db'>,
  at: Date,
  { row, act, reason }: Wanted & { reason: string },
): Promise<boolean> {
  if (act.kind === 'assign') return false
  return db.write(async (tx) => {
    const now = await lockIdentityRow(tx, row.cardId)
    if (now?.attempts !== row.attempts || now.state !== row.state || now.move !== row.move)
      return false
    if (act.kind === 'setAgentURI') {
      await saveIdentityRow(tx, { ...now, reason: URI_REFUSED, sendRef: null })
      return true
    }
    const end = act.kind === 'mint' ? ({ state: 'FAILED' } as const) : FINAL
    await update(tx, at, { ...now, ...end, reason })
    return true
  })
}

const FINAL = { state: 'FINAL', move: null } as const
