import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readOwner } from '../../embedded/anvil/state.ts'
import { isRunningWith } from '../../embedded/child.ts'
import { readLockFile } from '../../embedded/postgres/lock.ts'
import { chainStateFile, postgresDir } from '../start/data-dir.ts'
import { codeOf } from '../start/start-error.ts'

/** How long the parts of a service that was killed may take to notice by themselves. */
const NOTICE_MS = 1_500
const POLL_MS = 25

/**
 * Ends what a killed service left behind in its folder. On Linux its parts end with it; elsewhere they live on, and
 * would hold their files. Call it with the folder's lock held: whoever works there then has no owner.
 */
export async function stopOrphans(dataDir: string): Promise<void> {
  await Promise.all([stopPostgres(dataDir), stopChain(dataDir)])
}

async function stopPostgres(dataDir: string): Promise<void> {
  const cluster = join(postgresDir(dataDir), 'cluster')
  const lock = await readLockFile(cluster)
  if (lock) await stop(lock.pid, cluster, 'SIGINT')
}

async function stopChain(dataDir: string): Promise<void> {
  const file = chainStateFile(dataDir)
  const owner = await readOwner(file)
  if (owner) await stop(owner.pid, file, 'SIGTERM')
}

async function stop(pid: number, word: string, signal: NodeJS.Signals): Promise<void> {
  for (let waited = 0; waited < NOTICE_MS; waited += POLL_MS) {
    if (!(await isRunningWith(pid, word))) return
    await sleep(POLL_MS)
  }
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It ended in this moment; and one that is not ours is refused by the part itself, with its reason.
    if (codeOf(error) !== 'ESRCH' && codeOf(error) !== 'EPERM') throw error
  }
}
