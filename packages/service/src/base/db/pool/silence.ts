import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'

/** How often connections are checked. */
const LOOK_MS = 500
/**
 * The server's function that waits for the synchronous standby. If somebody cancels the wait, it warns, and answers the commit as if
 * the standby had confirmed it: what a client is answered then would be on one machine alone.
 */
const SYNC_WAIT = 'SyncRepWaitForLSN'

/** Counts the answers that the server owes: it shows whether a silent connection is idle or dead. */
export class CountingClient extends pg.Client {
  #owed = 0

  constructor(options?: pg.ClientConfig) {
    super(options)
    const { connection } = this as unknown as { connection: EventEmitter }
    // The answer to the commit comes right behind: it must find nobody who waits for it.
    connection.prependListener('notice', ({ routine }: { routine?: string }) => {
      if (routine === SYNC_WAIT) connection.emit('error', unconfirmed())
    })
  }

  get owed(): number {
    return this.#owed
  }

  get stream(): Socket {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream
  }

  override query = ((...args: unknown[]) => this.ask(...args)) as pg.Client['query']

  protected ask(...args: unknown[]): unknown {
    const ask = super.query as (...args: unknown[]) => unknown
    const last = args.at(-1)
    this.#owed++
    const done = () => {
      this.#owed--
    }
    if (typeof last === 'function') {
      const answered = (...answer: unknown[]) => {
        done()
        last(...answer)
      }
      return ask.call(this, ...args.slice(0, -1), answered)
    }
    const answer = ask.call(this, ...args)
    if (answer instanceof Promise) answer.then(done, done)
    else done()
    return answer
  }

  /** Closes the connection without waiting for the server. All its queries fail with `error`. */
  lose(error: Error): void {
    this.stream.destroy(error)
  }
}

/** Closes silent connections of one pool. */
export type Watch = { add(client: CountingClient): void; all(): Iterable<CountingClient> }

/**
 * Closes connections of the pool on which the server owes an answer and has sent nothing for `readMs`. Closes the idle
 * ones too: they take the same path through the network. The pool opens new ones.
 */
export function endSilent(pool: pg.Pool, readMs: number): Watch {
  // Counts looks, not milliseconds: a process that was suspended must not blame the server for the time.
  const heard = new Map<CountingClient, { bytes: number; looks: number }>()
  const idle = new Set<CountingClient>()
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    for (const [client, { bytes, looks }] of heard) {
      const { bytesRead } = client.stream
      if (client.owed === 0 || bytesRead !== bytes)
        heard.set(client, { bytes: bytesRead, looks: 0 })
      else if (looks * LOOK_MS < readMs) heard.set(client, { bytes, looks: looks + 1 })
      else for (const dead of [client, ...idle]) dead.lose(silenceOf(readMs))
    }
  }

  function forget(client: CountingClient): void {
    heard.delete(client)
    idle.delete(client)
    if (heard.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  pool.on('acquire', (client) => idle.delete(client as unknown as CountingClient))
  pool.on('release', (_, client) => idle.add(client as unknown as CountingClient))
  return {
    all: () => heard.keys(),
    add(client) {
      heard.set(client, { bytes: client.stream.bytesRead, looks: 0 })
      client.once('end', () => forget(client))
      timer ??= setInterval(look, LOOK_MS).unref()
    },
  }
}

const unconfirmed = (): Error =>
  Object.assign(new Error('No standby has confirmed the commit.'), { code: 'ETIMEDOUT' })

/** Has the code that the operating system uses for the same fault. */
const silenceOf = (readMs: number): Error =>
  Object.assign(new Error(`The database did not answer within ${readMs / 1000} s.`), {
    code: 'ETIMEDOUT',
  })
