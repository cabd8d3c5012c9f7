import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readOwner } from '../../embedded/anvil/state.ts'
import { isRunningWith } from '../../embedded/child.ts'
import { readLockFile } from '../../embedded/postgres/lock.ts'
import { chainStateFile, postgresDir, restoringDir } from '../data-dir.ts'
import { codeOf } from '../start-error.ts'

/** How long the parts of a killed service may take to end by themselves. */
const NOTICE_MS = 1_500
const POLL_MS = 25

/**
 * Ends processes that a killed service left behind in its folder. On Linux they end with the service; elsewhere they
 * live on and keep their files open. The caller must hold the folder's lock, so that such processes have no owner.
 */
export async function stopOrphans(dataDir: string): Promise<void> {
  await Promise.all([
    ...[postgresDir(dataDir), restoringDir(dataDir)].map(stopPostgres),
    stopChain(dataDir),
  ])
}

async function stopPostgres(folder: string): Promise<void> {
  const cluster = join(folder, 'cluster')
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
    // The process has just ended. If it is not ours, the part itself refuses to start and says why.
    if (codeOf(error) !== 'ESRCH' && codeOf(error) !== 'EPERM') throw error
  }
}
