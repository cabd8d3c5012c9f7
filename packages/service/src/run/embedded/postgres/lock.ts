import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, isRunningWith } from '../child.ts'

const NOTICE_MS = 500

/** The content of PostgreSQL's `postmaster.pid`. */
export type LockFile = { pid: number; port: number; isReady: boolean; lines: string[] }

const lockPath = (cluster: string): string => join(cluster, 'postmaster.pid')

/** The lock file of a cluster; undefined if no server runs in it, and none has died in it. */
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
 * Waits for a stopping server, and throws if a server stays. If another program has reused the process id in the lock
 * file (after a reboot, in a new container), writes our id there: PostgreSQL treats its parent's id as stale, and still
 * checks that nobody uses the shared memory.
 */
export async function waitForFolder(dataDir: string, timeoutMs: number): Promise<void> {
  const cluster = join(dataDir, 'cluster')
  const until = performance.now() + timeoutMs
  // A server whose parent was killed stops at once. A server that still accepts connections is in use.
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
