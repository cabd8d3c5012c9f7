import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDb, sql } from '../../../base/db/sql.ts'
import {
  type CheckpointKeys,
  packCheckpointKeys,
  unpackCheckpointKeys,
} from '../../../base/signing-keys/checkpoint-keys.ts'
import { checkBooksAndSchema } from '../../../links/reconcile/books/books.ts'
import type { Fault } from '../../../money/ledger/verify/verify.ts'
import { MAIN } from '../../../places.ts'
import { talkToChild, talkToParent } from './talk.ts'

/** The argument that makes `main.ts` check the books. */
export const CHECK_COMMAND = 'check-books'

/** The memory limit. The check reads page by page and needs a fraction of it. */
const MEMORY_MIB = 256
/** The environment of the process: paths of programs and certificates, and PostgreSQL's own settings. */
const HANDED = /^(PATH|HOME|TMPDIR|TZ|LANG|NODE_(OPTIONS|COMPILE_CACHE|EXTRA_CA_CERTS)|PG[A-Z]+)$/
/** The share of the time that the check may work. The rest is for payments. */
const SHARE = 0.25
const REST_MAX_MS = 2_000

type Asked = { databaseUrl: string; keys: string[] }

/** Checks the books in a separate process at low priority. Throws if the process ends early. */
export async function checkBooksApart(of: {
  databaseUrl: string
  keys: CheckpointKeys
  env: Record<string, string | undefined>
  signal?: AbortSignal
}): Promise<Fault[]> {
  const child = fork(MAIN, [CHECK_COMMAND], {
    env: Object.fromEntries(Object.entries(of.env).filter(([name]) => HANDED.test(name))),
    execArgv: [...process.execArgv, `--max-old-space-size=${MEMORY_MIB}`],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const end = () => child.kill('SIGKILL')
  of.signal?.addEventListener('abort', end)
  try {
    const asked: Asked = { databaseUrl: of.databaseUrl, keys: packCheckpointKeys(of.keys) }
    return (await talkToChild(lineTo(child)).ask('check books', asked)) as Fault[]
  } finally {
    of.signal?.removeEventListener('abort', end)
    end()
  }
}

const lineTo = (child: ChildProcess) => ({
  send: (message: unknown) => {
    if (child.connected) child.send(message as object)
  },
  onMessage: (heard: (message: unknown) => void) => child.on('message', heard),
  onClosed: (closed: () => void) => {
    child.once('exit', closed)
    child.once('error', closed)
  },
})

/** The child's side: answers one request, and ends with its parent. */
export async function answerCheck(): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW)
  const gone = new Promise<void>((resolve) => process.once('disconnect', resolve))
  talkToParent({ 'check books': (asked) => check(asked as Asked) })
  await gone
}

async function check({ databaseUrl, keys }: Asked): Promise<Fault[]> {
  const db = openDb(databaseUrl, 1, 'verify')
  try {
    // The pool's only connection: the long check must not use a second core.
    await db.together(async (on) => {
      await sql`set statement_timeout = 0`.execute(on)
      await sql`set max_parallel_workers_per_gather = 0`.execute(on)
    })
    const checked = await checkBooksAndSchema(db, {
      keys: unpackCheckpointKeys(keys),
      rest: restingFor(SHARE),
    })
    return checked.faults
  } finally {
    await db.close()
  }
}

/** Waits between pages, so that the work takes `share` of the time. */
export function restingFor(share: number): () => Promise<void> {
  let since = performance.now()
  return async () => {
    const workedMs = performance.now() - since
    await sleep(Math.min(workedMs * (1 / share - 1), REST_MAX_MS))
    since = performance.now()
  }
}
