import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, isRunningWith } from '../child.ts'

const NOTICE_MS = 500

/** What PostgreSQL writes in its `postmaster.pid`. */
export type LockFile = { pid: number; port: number; isReady: boolean; lines: string[] }

const lockPath = (cluster: string): string => join(cluster, 'postmaster.pid')

/** The lock file of a cluster, or undefined when no server runs or ran and died in it. */
export async function readLockFile(cluster: string): Promise<LockFile | undefined> {
  const text = await readFile(lockPath(cluster), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  if (text === '') return undefined
  const lines = text.split('\n')
  return {
    pid: Number(lines[0]),
    port: Number(lines[3]),
    isReady: lines[7]?.trim() === 'ready',
    lines,
  }
}

/**
 * Waits until a server that is leaving has left, and refuses when one stays. A lock file whose process id went to
 * another program since (after a reboot, in a new container) is made to name us: PostgreSQL takes its parent's id for
 * stale, and still checks that nobody uses the shared memory.
 */
export async function waitForFolder(dataDir: string, timeoutMs: number): Promise<void> {
  const cluster = join(dataDir, 'cluster')
  const until = performance.now() + timeoutMs
  // One whose parent was killed begins to stop at once; one that goes on taking connections is at work.
  const noticed = performance.now() + NOTICE_MS
  for (;;) {
    const lock = await readLockFile(cluster)
    if (!lock || !isAlive(lock.pid)) return
    if (!(await isRunningWith(lock.pid, cluster))) {
      const lines = [String(process.pid), ...lock.lines.slice(1)]
      await writeFile(lockPath(cluster), lines.join('\n'))
      return
    }
    if (performance.now() > (lock.isReady ? noticed : until)) throw inUse(dataDir, lock.pid)
    await sleep(20)
  }
}

export function inUse(dataDir: string, pid?: number): Error {
  const server = pid === undefined ? '' : ` (its PostgreSQL is process ${pid})`
  return new Error(
    `The database folder ${dataDir} is in use by a service that is running${server}. ` +
      'Stop that one first, or choose another data folder.',
  )
}
