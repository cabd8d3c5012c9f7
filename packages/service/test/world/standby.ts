import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClient } from '../../src/base/db/pool/client.ts'
import { type RunningPostgres, startPostgres } from '../../src/run/embedded/postgres/postgres.ts'
import { ownPort } from '../run/own-port.ts'

export type Server = {
  url: string
  /** Stops all its processes where they are: connections stay open, and nothing answers. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** As a machine dies: without a word. */
  kill(): Promise<void>
  /** Starts it again on its data, at the same address. */
  start(): Promise<void>
  /** Makes a standby again of one that was promoted, with the rows that it wrote meanwhile. */
  demote(): Promise<void>
  /** Runs one statement as the owner of the server. */
  run(statement: string): Promise<Record<string, unknown>[]>
}

/** A primary with a standby that follows it, both of the test's own. The standby is a copy of the primary as `fill` leaves it. */
export async function primaryAndStandby(fill: (url: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'purser-standby-'))
  const [mine, other] = [join(folder, 'primary'), join(folder, 'standby')]
  const streaming = { wal_level: 'replica', max_wal_senders: '4', max_connections: '100' }
  const primary = await serverIn(mine, streaming)
  await fill(primary.url)
  await primary.stop()
  // Copied while it is stopped, so no base backup is needed.
  await cp(mine, other, { recursive: true })
  await writeFile(join(other, 'cluster', 'standby.signal'), '')
  await primary.start()
  const { username, password, port } = new URL(primary.url)
  const standby = await serverIn(other, {
    ...streaming,
    primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${password}`,
    wal_retrieve_retry_interval: '100ms',
    // Without fsync the feedback of a standby that was just started is enough.
    wal_receiver_status_interval: '1s',
  })
  return {
    primary,
    standby,
    async [Symbol.asyncDispose]() {
      await Promise.all([primary.stop(), standby.stop()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function serverIn(dataDir: string, settings: Record<string, string>) {
  const port = await ownPort()
  const start = () => startPostgres({ dataDir, port, settings, isThrowaway: true })
  let server: RunningPostgres = await start()
  const signal = async (name: NodeJS.Signals) => {
    // The postmaster first, so that it makes no process meanwhile.
    for (const pid of [server.pid, ...(await childrenOf(server.pid))]) process.kill(pid, name)
  }
  return {
    url: server.url,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async kill() {
      await signal('SIGKILL')
      await server.exited
    },
    async start() {
      server = await start()
    },
    async demote() {
      await signal('SIGKILL')
      await server.exited
      await writeFile(join(dataDir, 'cluster', 'standby.signal'), '')
      server = await start()
    },
    async run(statement: string) {
      const client = await openClient(server.url)
      try {
        return (await client.query<Record<string, unknown>>(statement)).rows
      } finally {
        await client.end()
      }
    },
    async stop() {
      await signal('SIGCONT').catch(() => undefined)
      await server.stop()
    },
  } satisfies Server & { stop(): Promise<void> }
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.trim().split(' ').filter(Boolean).map(Number)
}
