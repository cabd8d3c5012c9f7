/** Wallets with webhooks, events for them, and the receiver that counts. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openPool } from '../../packages/service/src/db/sql.ts'
import type { BenchService } from '../stage/service.ts'

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

type Ask = (method: string, path: string, body?: unknown) => Promise<any>

/** A new wallet of the service, and how to ask as it. */
export async function openWallet({ port }: BenchService): Promise<{ wallet: string; ask: Ask }> {
  const account = privateKeyToAccount(generatePrivateKey())
  const asking =
    (key?: string): Ask =>
    async (method, path, body) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: {
          ...(key ? { authorization: `Bearer ${key}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return JSON.parse(text)
    }
  const ask = asking()
  const { message } = await ask('POST', '/api/auth/challenge', { wallet_address: account.address })
  const signature = await account.signMessage({ message })
  const { token } = await ask('POST', '/api/auth/verify', { message, signature })
  const { api_key } = await asking(token)('POST', '/api/keys/generate')
  return { wallet: account.address, ask: asking(api_key) }
}

/** Records events of these wallets in one transaction: of each so many, of ten cards. */
export async function recordEvents(
  databaseUrl: string,
  { wallets, each }: { wallets: string[]; each: number },
): Promise<void> {
  const pool = openPool(databaseUrl, 1)
  await pool.query(
    `insert into events (id, type, wallet_address, subject, card_id, data, created_at)
     select 'evt_' || substr(md5(random()::text || n || w), 1, 26), 'card.updated', w, 'card_' || n % 10, 'card_' || n % 10,
       jsonb_build_object('card_id', 'card_' || n % 10, 'changed', array['limit_amount']), now()
     from generate_series(1, $2::integer) n, unnest($1::text[]) w`,
    [wallets, each],
  )
  await pool.end()
}
