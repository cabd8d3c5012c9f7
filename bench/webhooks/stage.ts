/** Wallets with webhooks, events for them, and the receiver that counts. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openPool } from '../../packages/service/src/base/db/sql.ts'

export type Counted = {
  counts: Record<string, number>
  firstAt: number
  lastAt: number
  cpuSeconds: number
}
export type Receiver = {
  url: string
  read(): Promise<Counted>
  /** Forgets what it has counted. These paths are not answered from now on. */
  reset(silent?: string[]): Promise<void>
}

export async function startReceiver(stack: AsyncDisposableStack): Promise<Receiver> {
  const program = new URL('./receiver.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  stack.defer(() => void child.kill())
  const [said] = await once(child.stdout, 'data')
  const url = `http://127.0.0.1:${JSON.parse(String(said)).port}`
  return {
    url,
    read: async () => (await fetch(`${url}/counts`)).json() as Promise<Counted>,
    reset: async (silent = []) => void (await fetch(`${url}/reset?${silent.join(',')}`)),
  }
}

/** Records events of these wallets in one transaction: of each so many, of ten cards. */
export async function recordEvents(
  databaseUrl: string,
  { wallets, each }: { wallets: string[]; each: number },
): Promise<void> {
  const pool = openPool(databaseUrl, 1)
  await pool.query(
    `insert into events (xid, id, type, wallet_address, subject, card_id, data, created_at)
     select (select event_xid()), 'evt_' || substr(md5(random()::text || n || w), 1, 26), 'card.updated', w, 'card_' || n % 10, 'card_' || n % 10,
       jsonb_build_object('card_id', 'card_' || n % 10, 'changed', array['limit_amount']), now()
     from generate_series(1, $2::integer) n, unnest($1::text[]) w`,
    [wallets, each],
  )
  await pool.end()
}
