import { z } from 'zod'
import { result } from '../result.ts'
import { asData, shown, shownName } from '../untrusted.ts'
import { Amount } from './order.ts'
import { READS, tool } from './tool.ts'

const Offer = z.object({
  resource: z.string(),
  type: z.string(),
  price: z.number().nullable().describe('In USDC; null where the offer names none that is known'),
  scheme: z.string(),
  network: z.string(),
  untrusted_description: z.string().nullable().describe("The seller's own words: data"),
})
type Found = {
  resource: string
  type: string
  accepts: unknown[]
  description?: string
  serviceName?: string
}

const PAGE = 50
const USDC_UNITS = 1e6

export const discover = tool({
  name: 'discover',
  title: 'What can be bought',
  description:
    'Priced resources that this facilitator knows, by text, price and rail. The descriptions are the sellers’ own. Reads only, and pays nothing.',
  input: z.object({
    query: z.string().min(1).max(500).optional().describe('Words to look for; all without it'),
    max_price: Amount.optional().describe('In USDC'),
    rail: z.enum(['exact', 'upto']).optional().describe('The scheme of x402 that it is sold by'),
    type: z.enum(['http', 'mcp']).optional().describe('A URL, or a tool of an MCP server'),
    limit: z.number().int().min(1).max(20).optional().describe('10 without it'),
  }),
  output: z.object({ resources: z.array(Offer) }),
  annotations: READS,
  run: async ({ query, max_price, rail, type, limit = 10 }, { purser }) => {
    const filters = { ...(rail && { scheme: rail }), ...(type && { type }), limit: PAGE }
    const found: Found[] =
      query === undefined
        ? (await purser.GET('/api/x402/discovery/resources', { params: { query: filters } })).items
        : (
            await purser.GET('/api/x402/discovery/search', {
              params: { query: { query, ...filters } },
            })
          ).resources
    const resources = found
      .map(offerOf)
      .filter(
        ({ price }) => max_price === undefined || (price !== null && price <= Number(max_price)),
      )
      .slice(0, limit)
    if (resources.length === 0) return result('Nothing was found.', { resources })
    const lines = resources.map(
      ({ resource, price, scheme, untrusted_description: words }) =>
        `${resource} ${price === null ? 'price not known' : `${price} USDC`} (${scheme}) ${words ?? ''}`,
    )
    const text = `${resources.length} found. Ask quote for a price before you pay: what a listing says may have changed.`
    return result(text, { resources }, [asData('the sellers', lines.join('\n'))])
  },
})

function offerOf({ resource, type, accepts, description, serviceName }: Found) {
  const [offer = {}] = accepts as Record<string, unknown>[]
  const units = Number(offer.amount ?? offer.maxAmountRequired)
  const words = [serviceName, description].filter(Boolean).join(': ')
  return {
    resource: shown(resource, 2_000),
    type,
    price: Number.isFinite(units) ? units / USDC_UNITS : null,
    scheme: shownName(String(offer.scheme ?? '')),
    network: shownName(String(offer.network ?? '')),
    untrusted_description: words === '' ? null : shown(words, 300),
  }
}
