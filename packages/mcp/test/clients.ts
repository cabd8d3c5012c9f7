import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect } from 'vitest'
import type { Card, User, World } from '../../service/test/world.ts'

export const ERAS = {
  '2025': { mode: 'legacy' },
  '2026-07-28': { mode: { pin: '2026-07-28' } },
} as const
export type Era = keyof typeof ERAS

type Credentials = { key?: string; cardToken?: string }

const newClient = (era: Era, options: ClientOptions = {}): Client =>
  new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: ERAS[era], ...options })

/** The SDK's client, connected to the service's `/mcp`. */
export async function overHttp(
  baseUrl: string,
  { key, cardToken }: Credentials,
  { era = '2026-07-28', ...options }: ClientOptions & { era?: Era } = {},
): Promise<Client> {
  const headers = {
    ...(key && { authorization: `Bearer ${key}` }),
    ...(cardToken && { 'purser-card-token': cardToken }),
  }
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), {
    requestInit: { headers },
  })
  const client = newClient(era, options)
  await client.connect(transport)
  return client
}

/** The SDK's client, connected to a program that serves the wallet. */
export async function overStdio(
  program: { command?: string; args: string[]; env: Record<string, string>; cwd?: string },
  era: Era = '2026-07-28',
): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    ...program,
    stderr: 'inherit',
  })
  const client = newClient(era)
  await client.connect(transport)
  return client
}

export const PAYING_SCOPES = [
  'cards:read',
  'payments:read',
  'payments:write',
  'paylinks:read',
  'paylinks:write',
  'approvals:read',
]

/** A wallet with one card and a key that is restricted to it, as an agent should have it. */
export async function agentOf(
  w: World,
  order: { limit?: number; [field: string]: unknown } = {},
): Promise<{ user: User; card: Card; key: string }> {
  const user = await w.user()
  const card = await user.card(order)
  const made = await user.post('/api/keys/restricted', {
    name: 'agent',
    scopes: PAYING_SCOPES,
    card_ids: [card.id],
  })
  expect(made.status, made.text).toBe(200)
  return { user, card, key: made.body.api_key }
}

type Structured = Record<string, any>

/** Calls a tool. Returns what it says, its data and whether it failed. */
export async function use(
  client: Client,
  name: string,
  given: Record<string, unknown> = {},
  meta?: Record<string, unknown>,
): Promise<{ text: string; data: Structured; isError: boolean }> {
  const said = await client.callTool({ name, arguments: given, ...(meta && { _meta: meta }) })
  const parts = said.content as { type: string; text: string }[]
  return {
    text: parts.map(({ text }) => text).join('\n'),
    data: (said.structuredContent ?? {}) as Structured,
    isError: said.isError === true,
  }
}
