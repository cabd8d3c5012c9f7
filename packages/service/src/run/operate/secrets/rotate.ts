import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Tx } from '../../../base/db/sql.ts'
import { deriveKey, type Secret } from '../../../base/kernel/secrets.ts'
import type { CheckpointKeys } from '../../../base/signing-keys/checkpoint-keys.ts'
import { PRIVATE_KEYS } from '../../../base/signing-keys/key-pair.ts'
import type { Keyring } from '../../../base/signing-keys/keyring.ts'
import { LOST_SECONDS } from '../../oversight/machines.ts'
import { listMachines, type SeenMachine } from '../../oversight/store.ts'
import { noteCommand } from '../command-line.ts'
import { StartError } from '../start-error.ts'
import { FOLLOW_MS } from './follow.ts'
import { markOf, sealKept } from './kept.ts'
import { renewCheckpoint } from './renew-checkpoint.ts'
import { namedCounts, resealAll, type Standing } from './sealed.ts'
import {
  insertReplaced,
  lockSealingMark,
  readReplaced,
  readSealingMark,
  retireReplaced,
  SECRET_SETTING,
  saveSealingMark,
} from './store.ts'

export type Rotating = {
  db: Db
  secrets: Keyring
  /** The secret that is to seal: the first of PURSER_SECRET. */
  wanted: Secret
  /** Seal the books; by keys of the ring, or by those of PURSER_LEDGER_SECRETS. */
  checkpointKeys: CheckpointKeys
  now(): Promise<Date>
  written(part: { what: string; rows: number }): Promise<void>
}

/** Machines say by which secret they seal every ten seconds; one that was killed is passed over once it is lost. */
const TURN_MS = (LOST_SECONDS + 15) * 1000
const LOOK_MS = 500
/** The second pass finds what machines had under way while they turned. */
const PASSES = 5

/**
 * Has the wanted secret seal on every machine, and seals by it what others have sealed. Each step finds what is done
 * already, so a rotation that was cut off goes on. Returns what was sealed anew, and what opens by no secret here. Throws
 * a sentence if a machine would not follow.
 */
export async function rotateSecret(rotating: Rotating): Promise<Standing[]> {
  const { db, secrets, wanted, checkpointKeys, now, written } = rotating
  const begun = await now()
  await db.write((tx) => begin(tx, begun, rotating))
  secrets.turnTo(wanted)
  await machinesTurned(db, markOf(wanted))
  const done = await resealAll(db, secrets, written)
  let rest = done
  for (let pass = 1; rest.some(({ previous }) => previous > 0); pass++) {
    if (pass === PASSES)
      throw new StartError(
        `Something still seals by an earlier secret: ${namedCounts(rest, 'previous')}. Run the command again.`,
      )
    rest = await resealAll(db, secrets, written)
  }
  const at = await now()
  await renewCheckpoint(db, at, { keys: checkpointKeys })
  await db.write(async (tx) => {
    if ((await retireReplaced(tx, at)) > 0)
      await noteCommand(tx, at, { act: 'secret.retired', subject: SECRET_SETTING })
  })
  return done
}

/** Names the wanted secret in the database, where every process looks. Nothing to do if it is named there. */
async function begin(tx: Tx, at: Date, { secrets, wanted }: Rotating): Promise<void> {
  const mark = await lockSealingMark(tx)
  const wantedMark = markOf(wanted)
  if (mark === wantedMark) return
  const sealing = secrets.all.find((secret) => markOf(secret) === mark)
  if (mark === undefined || !sealing)
    throw new StartError(
      'PURSER_SECRET does not list the secret that seals: put it behind the new one.',
    )
  if ((await readReplaced(tx)).some((row) => row.mark === wantedMark))
    throw new StartError(
      'The first secret of PURSER_SECRET was in use before: make a new one with "openssl rand -hex 32".',
    )
  const behind = (await listRunning(tx)).filter(
    ({ secrets: listed }) => !listed?.includes(wantedMark),
  )
  if (behind.length > 0)
    throw new StartError(
      `${named(behind)} would not open what is sealed by the new secret. Start each machine with PURSER_SECRET=<new>,<old>, then run the command again.`,
    )
  await insertReplaced(tx, at, { mark, kept: sealKept(sealing, [deriveKey(wanted, PRIVATE_KEYS)]) })
  await saveSealingMark(tx, at, wantedMark)
  await noteCommand(tx, at, { act: 'secret.rotated', subject: SECRET_SETTING })
}

/** Waits until every machine seals by the secret of this mark. */
async function machinesTurned(db: Db, mark: string): Promise<void> {
  const isBehind = ({ secrets }: SeenMachine) => secrets?.[0] !== mark
  const begun = performance.now()
  for (;;) {
    const running = await listRunning(db.reader)
    const behind = running.filter(isBehind)
    if (behind.length === 0) {
      // A machine speaks for its first process. The others look as often as it does.
      if (running.some(({ processes }) => processes > 1)) await sleep(2 * FOLLOW_MS)
      return
    }
    if (performance.now() - begun > TURN_MS)
      throw new StartError(
        `${named(behind)} still seals by an earlier secret: restart it with PURSER_SECRET=<new>,<old>, then run the command again.`,
      )
    await sleep(LOOK_MS)
  }
}

const listRunning = async (on: Db['reader']): Promise<SeenMachine[]> =>
  (await listMachines(on)).filter(({ silentSeconds }) => silentSeconds <= LOST_SECONDS)

const named = (machines: readonly SeenMachine[]): string =>
  machines.map(({ host, pid }) => `${host} (process ${pid})`).join(', ')

/** How far the machines and the database are with the wanted secret. */
export async function readRotation(db: Db, wanted: Secret) {
  const mark = markOf(wanted)
  return {
    isSealing: (await readSealingMark(db.reader)) === mark,
    isRetired: (await readReplaced(db.reader)).every(({ retiredAt }) => retiredAt !== null),
    machines: (await listRunning(db.reader)).map(({ host, pid, secrets }) => ({
      host,
      pid,
      lists: secrets?.includes(mark) ?? false,
      seals: secrets?.[0] === mark,
    })),
  }
}
