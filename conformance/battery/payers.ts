import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../../packages/cli/src/main.ts'
import { use } from '../../packages/mcp/test/clients.ts'
import { inProcess } from '../../packages/mcp/test/in-process.ts'
import type { PayerName } from './modes.ts'
import { heardOf, type Payer, type Purse, sdkPayer } from './sdk-payer.ts'

/** A caller gives up after this time. */
const CALL_MS = 2_500

export const openPayer: Record<PayerName, (purse: Purse) => Payer | Promise<Payer>> = {
  'POST /api/pay': bareCaller,
  SDK: (purse) => sdkPayer(purse, { timeoutMs: purse.patienceMs ?? CALL_MS }),
  CLI: cliCaller,
  MCP: mcpCaller,
}

const nothing = async () => undefined

function bareCaller({ baseUrl, apiKey, card }: Purse): Payer {
  return {
    async buy({ url, key }) {
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${apiKey}`,
        ...(key !== undefined && { 'idempotency-key': key }),
      }
      const body = JSON.stringify({ card_id: card.id, card_token: card.token, url, method: 'GET' })
      const signal = AbortSignal.timeout(CALL_MS)
      const asked = { method: 'POST', headers, body, signal }
      const answer = await fetch(`${baseUrl}/api/pay`, asked)
        .then(async (response) => ({ status: response.status, said: await response.json() }))
        .catch(() => undefined)
      const { outcome, code } = (answer?.said ?? {}) as { outcome?: string; code?: string }
      if (outcome !== undefined) return heardOf(outcome)
      if (code === 'idempotency_in_progress') return 'open'
      return code === undefined || (answer?.status ?? 0) >= 500 ? 'lost' : `refused: ${code}`
    },
    close: nothing,
  }
}

function cliCaller({ baseUrl, apiKey, card }: Purse): Payer {
  const folder = mkdtempSync(join(tmpdir(), 'purser-battery-'))
  const keep = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    return path
  }
  const account = ['--base-url', baseUrl, '--key-file', keep('key', apiKey)]
  const purse = ['--card-file', keep('card.json', JSON.stringify(card)), '--json']
  return {
    async buy({ url, key }) {
      const named = key === undefined ? [] : ['--idempotency-key', key]
      const said = JSON.parse(await runCommand(['pay', url, ...account, ...purse, ...named]))
      if (said.outcome !== undefined) return heardOf(said.outcome)
      return said.may_have_happened === true ? 'lost' : `refused: ${said.code}`
    },
    close: () => rm(folder, { recursive: true }),
  }
}

/** Commands of this process share its output, so one runs after the other. */
let commands: Promise<unknown> = Promise.resolve()

/** Runs a command in this process, and returns what it says. */
function runCommand(words: string[]): Promise<string> {
  const ran = commands.then(async () => {
    const { log, error } = console
    const said: string[] = []
    console.log = (text: unknown) => void said.push(String(text))
    console.error = () => undefined
    try {
      await main(['node', 'purser', ...words])
    } finally {
      Object.assign(console, { log, error })
      process.exitCode = 0
    }
    return said.join('\n')
  })
  commands = ran.catch(() => undefined)
  return ran
}

async function mcpCaller({ baseUrl, apiKey, card, patienceMs = CALL_MS }: Purse): Promise<Payer> {
  const client = await inProcess({ baseUrl, apiKey, card, timeoutMs: patienceMs })
  return {
    async buy({ url, key }) {
      const { data, text } = await use(client, 'pay', {
        ...{ url, method: 'GET' },
        ...(key !== undefined && { intent_id: key }),
      })
      if (data.outcome === 'refused') return `refused: ${data.code}`
      if (data.outcome === 'unknown' && data.transaction_id === null) return 'lost'
      return data.outcome === undefined ? `refused: ${text}` : heardOf(data.outcome)
    },
    close: () => client.close(),
  }
}
