import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { officialSeller } from '../../service/test/sellers/x402-sellers.ts'
import { world } from '../../service/test/world.ts'
import { agentOf, ERAS, type Era, overStdio, use } from './clients.ts'

const PROGRAM = fileURLToPath(new URL('../../cli/bin/purser.js', import.meta.url))
const FLAGS = ['--conditions=purser-source', PROGRAM, 'mcp']

test('npx purser mcp serves the wallet that the environment names, to clients of 2026 and of 2025', async () => {
  await using w = await world()
  const baseUrl = await w.listen()
  await using seller = await officialSeller({ price: '$0.01' })
  const { key, card } = await agentOf(w)
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    PURSER_BASE_URL: baseUrl,
    PURSER_API_KEY: key,
    PURSER_CARD_TOKEN: card.token,
  }
  for (const era of Object.keys(ERAS) as Era[]) {
    const client = await overStdio({ args: FLAGS, env }, era)
    expect((await client.listTools()).tools).toHaveLength(10)
    const bought = await use(client, 'pay', { url: seller.url, intent_id: 'by-stdio' })
    expect(bought.data).toMatchObject({ outcome: 'paid' })
    await client.close()
  }
  expect(seller.paid).toHaveLength(1)
})

test('a token of no card of the key ends it with a sentence on stderr', async () => {
  await using w = await world()
  const { key } = await agentOf(w)
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    PURSER_BASE_URL: await w.listen(),
    PURSER_API_KEY: key,
    PURSER_CARD_TOKEN: `tok_${'x'.repeat(43)}`,
  }
  const child = spawn(process.execPath, FLAGS, { env, stdio: ['pipe', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (part) => {
    said += part
  })
  const code = await new Promise((resolve) => child.on('exit', resolve))
  expect([code, said]).toEqual([
    1,
    expect.stringMatching(/^No active card of this key has this token[^\n]*\n$/),
  ])
})
