/**
 * The least that a settlement costs on this machine: Node's bare HTTP server checks the mandate's signature and writes one
 * row with one key, in batches that wait for the disk. It has no card, limit, ledger, event or log. The program reads its
 * job from the file named on the command line, and writes a line once it listens.
 */
import cluster from 'node:cluster'
import type { KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { PublicJwk } from '../../packages/sdk/src/purser.ts'
import { openPool } from '../../packages/service/src/base/db/sql.ts'
import {
  checkSignature,
  importKey,
} from '../../packages/service/src/base/protocols/ap2/jose/keys.ts'

export type FloorJob = {
  databaseUrl: string
  port: number
  processes: number
  /** Each payer's key by card id. */
  keys: Record<string, PublicJwk>
}

type Row = { id: string; mandate: string; done(): void; failed(error: unknown): void }

const MAKE = `create table if not exists bench_floor (id text primary key, mandate text not null)`
const INSERT = `insert into bench_floor select * from unnest($1::text[], $2::text[]) on conflict do nothing`

/** Rows that arrive while a batch is being written form the next batch. */
function createWriter(databaseUrl: string): (row: Pick<Row, 'id' | 'mandate'>) => Promise<void> {
  const pool = openPool(databaseUrl, 1)
  let waiting: Row[] = []
  let isWriting = false
  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      const values = [batch.map(({ id }) => id), batch.map(({ mandate }) => mandate)]
      try {
        await pool.query({ name: 'floor', text: INSERT, values })
        for (const { done } of batch) done()
      } catch (error) {
        for (const { failed } of batch) failed(error)
      }
    }
    isWriting = false
  }
  return (row) =>
    new Promise((done, failed) => {
      waiting.push({ ...row, done, failed })
      if (isWriting) return
      isWriting = true
      setImmediate(() => void writeAll())
    })
}

type Payment = { jti: string; payment_instrument: { id: string } }

async function serve(job: FloorJob): Promise<void> {
  const write = createWriter(job.databaseUrl)
  const keys = new Map<string, KeyObject>(
    Object.entries(job.keys).map(([cardId, jwk]) => [cardId, importKey({ ...jwk })]),
  )
  async function settle(mandate: string): Promise<string | undefined> {
    const [jwt = '', disclosure = ''] = mandate.split('~')
    const end = jwt.lastIndexOf('.')
    const payment: Payment = JSON.parse(Buffer.from(disclosure, 'base64url').toString()).at(-1)
    const key = keys.get(payment.payment_instrument.id)
    const check = {
      signingInput: jwt.slice(0, end),
      signature: Buffer.from(jwt.slice(end + 1), 'base64url'),
      key: 'root' as const,
    }
    if (!key || !checkSignature(check, key)) return undefined
    await write({ id: payment.jti, mandate })
    return payment.jti
  }
  const server = createServer(async (request, response) => {
    const mandateId = await settle(JSON.parse(await readBody(request)).closed_mandate)
    const answer = JSON.stringify({ status: 'SETTLED', mandate_id: mandateId })
    const headers = { 'content-type': 'application/json', 'content-length': answer.length }
    response.writeHead(mandateId === undefined ? 422 : 201, headers).end(answer)
  })
  server.listen(job.port, '127.0.0.1')
  await once(server, 'listening')
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const job: FloorJob = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
if (cluster.isPrimary) {
  const pool = openPool(job.databaseUrl, 1)
  await pool.query(MAKE)
  await pool.query('truncate bench_floor')
  await pool.end()
  if (job.processes === 1) await serve(job)
  else {
    const listening = Array.from(
      { length: job.processes },
      () => new Promise((resolve) => cluster.fork().once('listening', resolve)),
    )
    await Promise.all(listening)
  }
  process.stdout.write('ready\n')
} else await serve(job)
