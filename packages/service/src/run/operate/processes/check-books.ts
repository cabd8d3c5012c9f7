import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, one, openDb, sql } from '../../../base/db/sql.ts'
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
/** The share of the time that the check works: beside payments, and while there are few. */
const SHARE = { busy: 0.1, idle: 0.5 }
/** So many batches a second that others post are payments that the check makes room for. */
const BUSY_BATCHES = 2
/** The transfers of a page. A page of 10,000 keeps a core for a third of a second. */
const PAGE_SIZE = 4_000
const REST_MAX_MS = 10_000

type Asked = { databaseUrl: string; keys: string[]; from: From }
type From = 'start' | 'state alone'

/**
 * Checks the books in a separate process at low priority: all of them, or from where they were last in order. Throws if the
 * process ends early.
 */
export async function checkBooksApart(of: {
  from?: From
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
    const { databaseUrl, from = 'start' } = of
    const asked: Asked = { databaseUrl, from, keys: packCheckpointKeys(of.keys) }
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

async function check({ databaseUrl, keys, from }: Asked): Promise<Fault[]> {
  const db = openDb(databaseUrl, 1, 'verify')
  const look = openDb(databaseUrl, 1, 'verify')
  try {
    // The pool's only connection: the long check must not use a second core.
    await db.together(async (on) => {
      await sql`set statement_timeout = 0`.execute(on)
      await sql`set max_parallel_workers_per_gather = 0`.execute(on)
    })
    const checked = await checkBooksAndSchema(db, {
      ...{ keys: unpackCheckpointKeys(keys), from, pageSize: PAGE_SIZE },
      rest: restingFor(SHARE, watchPayments(look)),
    })
    return checked.faults
  } finally {
    await db.close()
    await look.close()
  }
}

/** Answers whether others have posted to the ledger since it was last asked. */
function watchPayments({ reader }: Db): () => Promise<boolean> {
  let [seen, at] = [0n, performance.now()]
  return async () => {
    const row = await one<{ batches: bigint }>(
      reader,
      sql`select sum(seq)::bigint as batches from ledger_chains`,
    )
    const [batches, now] = [row?.batches ?? 0n, performance.now()]
    const isBusy = Number(batches - seen) > (BUSY_BATCHES * (now - at)) / 1000
    ;[seen, at] = [batches, now]
    return isBusy
  }
}

/** Waits between pages, so that the work takes its share of the time. */
export function restingFor(
  share: { busy: number; idle: number },
  isBusy: () => Promise<boolean>,
): () => Promise<void> {
  let since = performance.now()
  return async () => {
    const workedMs = performance.now() - since
    const part = (await isBusy()) ? share.busy : share.idle
    await sleep(Math.min(workedMs * (1 / part - 1), REST_MAX_MS))
    since = performance.now()
  }
}
