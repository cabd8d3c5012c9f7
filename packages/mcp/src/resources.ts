import type { McpServer } from '@modelcontextprotocol/server'
import { rulesOf } from './rules.ts'
import { lineOf, rowOf } from './tools/payments.ts'
import { cardOf, type Wallet } from './wallet.ts'

const RECENT = 20

/** Adds the resources that a client may read without calling a tool. */
export function addResources(server: McpServer, wallet: Wallet): void {
  const text = (uri: URL, lines: readonly string[]) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: lines.join('\n') }],
  })
  server.registerResource(
    'transactions',
    'purser://transactions',
    {
      title: 'Recent transactions',
      description: 'The last payments of the card, newest first',
      mimeType: 'text/plain',
    },
    async (uri) => {
      const query = { ...(wallet.card && { card_id: wallet.card.id }), limit: RECENT }
      const { payments } = await wallet.calls({}).GET('/api/payments', { params: { query } })
      return text(
        uri,
        payments.length === 0 ? ['No payments yet.'] : payments.map(rowOf).map(lineOf),
      )
    },
  )
  server.registerResource(
    'card-rules',
    'purser://card/rules',
    {
      title: 'Rules of the card',
      description: 'What the card may spend, in words. Only its owner changes it',
      mimeType: 'text/plain',
    },
    async (uri) => {
      const path = { id: cardOf(wallet).id }
      const { card } = await wallet.calls({}).GET('/api/cards/{id}', { params: { path } })
      return text(uri, rulesOf(card))
    },
  )
}
