import { createHash } from 'node:crypto'
import type { PayOrder } from '@purser/sdk'
import { z } from 'zod'
import type { Wallet } from '../wallet.ts'
import { cardOf } from '../wallet.ts'
import { isObject, readJson } from './json.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const Amount = z
  .union([z.string().regex(/^\d{1,20}(\.\d{1,18})?$/), z.number().positive()])
  .describe('In USDC, e.g. "0.05"; a string is exact')
export const IntentId = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/)
  .describe(
    'Names the purchase: the same for the same purchase, however often you call, and a new one for a new purchase. With the same one nothing is paid twice',
  )

/** Headers as a list, which a strict schema can describe. An object of names and values is taken too. */
const listed = (headers: unknown): unknown =>
  isObject(headers) ? Object.entries(headers).map(([name, value]) => ({ name, value })) : headers

/** A request to a seller, as `pay`, `quote`, `simulate` and `request_approval` take it. */
export const Order = {
  url: z
    .url({ protocol: /^https?$/ })
    .max(4_096)
    // Strict schemas know no such format.
    .meta({ format: undefined, description: 'What to buy' }),
  method: z
    .enum(METHODS)
    .optional()
    .describe('GET without it, POST where there is a body. POST /api/pay is POST without it'),
  headers: z
    .preprocess(
      listed,
      z.array(z.strictObject({ name: z.string().max(128), value: z.string().max(4_096) })),
    )
    .optional()
    .describe('Headers for the seller. Put no secret here that the seller should not have'),
  body: z.unknown().optional().meta({
    type: 'string',
    description: 'The body for the seller, as text: JSON, sent as application/json, or any other',
  }),
  max_amount: Amount.optional().describe(
    'The most that may leave the card, fee included, in USDC. Set it: a seller may ask for more than it said',
  ),
}
export type Ordered = z.output<z.ZodObject<typeof Order>>

export const orderOf = ({ url, method, headers, body, max_amount }: Ordered): PayOrder => ({
  url,
  method: method ?? (body === undefined ? 'GET' : 'POST'),
  ...(headers && { headers: sorted(recorded(headers)) }),
  ...(body !== undefined && { body: sorted(body) }),
  ...(max_amount !== undefined && { max_amount }),
})

/** One header given twice is a list of values. */
function recorded(headers: readonly { name: string; value: string }[]): Record<string, string> {
  const record: Record<string, string> = {}
  for (const { name, value } of headers)
    record[name] = record[name] === undefined ? value : `${record[name]}, ${value}`
  return record
}

/** Tells purchases apart by card and request: the same for every repetition of one, as object or as text. */
export function digestOf(wallet: Wallet, order: PayOrder): string {
  const { id } = cardOf(wallet)
  const asked = [id, order.method, new URL(order.url).href, contentOf(order.body)]
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex')
}

/** The same value with its members in order: an agent that repeats itself may write them in another. */
const sorted = <T>(value: T): T => JSON.parse(JSON.stringify(value, inOrder))

const inOrder = (_: string, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

function contentOf(body: unknown): unknown {
  const value = typeof body === 'string' ? readJson(body) : body
  return value === undefined ? (body ?? null) : sorted(value)
}
