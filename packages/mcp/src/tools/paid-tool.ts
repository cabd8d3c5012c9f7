import { PurserError } from '@purser/sdk'
import { cardOf } from '../wallet.ts'
import { isObject, type JsonObject, readJson } from './json.ts'
import { type Paid, type Purchase, payUrl, refusedBy, type Seller } from './purchase.ts'
import type { ToolCall } from './tool.ts'

type Asked = { purchase: Purchase; first: Paid }

const PAYMENT = 'x402/payment'
const RESPONSE = 'x402/payment-response'
/** How long a call waits for the chain to tell whether the tool took the payment. */
const SETTLE_MS = 20_000

/**
 * Pays for a tool of another MCP server: such a server answers 200, with its demand in the result. The payment is signed once
 * and sent in `_meta`. All steps go under the purchase's name, so a repetition repeats their answers.
 */
export async function payForTool(call: ToolCall, { purchase, first }: Asked): Promise<Paid> {
  const request = toolCallOf(purchase.order.body)
  if (!request || first.outcome !== 'free') return first
  const demand = demandOf(resultOf(first.response))
  if (!demand) return first
  const { url, max_amount } = purchase.order
  const { id } = purchase.name
  try {
    const signed = await call.purser.authorize(
      cardOf(call.wallet),
      { resource: url, challenge: demand, ...(max_amount !== undefined && { max_amount }) },
      { idempotencyKey: `${id}:authorize` },
    )
    const again = withMeta(request, { ...call.trace, [PAYMENT]: signed.payment })
    const order = { ...purchase.order, body: again }
    const called = await callPaid(call, { ...purchase, order })
    const response = 'response' in called ? called.response : null
    const { status, tx_hash } = await standing(call, signed.transaction_id)
    const facts = {
      isRepeated: 'isRepeated' in called && called.isRepeated,
      transactionId: signed.transaction_id,
      amount: signed.amount_held,
      merchantAmount: signed.merchant_amount,
      fee: signed.platform_fee,
      asset: signed.token,
      network: signed.network,
      protocol: 'x402',
      settlement: { status, tx_hash },
      response,
    }
    if (status === 'FAILED')
      return { outcome: 'not_charged', transactionId: signed.transaction_id, response }
    if (status !== 'SETTLED') return { outcome: 'unknown', ...facts }
    return { outcome: isServed(response) ? 'paid' : 'seller_failed', ...facts }
  } catch (error) {
    return refusedBy(error)
  }
}

/** How often a tool is called for one payment. */
const CALLS_MAX = 20

/**
 * Calls the tool with its payment. The service keeps each answer under its name, so a tool that has not served yet is called under the
 * next one.
 */
async function callPaid(call: ToolCall, purchase: Purchase): Promise<Paid> {
  const { name } = purchase
  for (let n = 1; ; n += 1) {
    const id = n === 1 ? `${name.id}:call` : `${name.id}:call:${n}`
    const called = await payUrl(call, { ...purchase, name: { ...name, id } })
    const isOld = 'isRepeated' in called && called.isRepeated && !isServed(called.response)
    if (!isOld || n === CALLS_MAX) return called
  }
}

/** The chain's word. One that has not spoken in time leaves the payment open. */
async function standing({ purser }: ToolCall, transactionId: string) {
  try {
    return await purser.settlement(transactionId, { timeoutMs: SETTLE_MS })
  } catch (error) {
    if (error instanceof PurserError && error.code === 'settlement_pending')
      return { status: 'PENDING' as const, tx_hash: null }
    throw error
  }
}

/** The body of an order, if it calls a tool of MCP. */
function toolCallOf(body: unknown): (JsonObject & { params: JsonObject }) | undefined {
  const request = typeof body === 'string' ? readJson(body) : body
  if (!isObject(request) || request.jsonrpc !== '2.0' || request.method !== 'tools/call')
    return undefined
  return isObject(request.params) ? { ...request, params: request.params } : undefined
}

function withMeta({ params, ...request }: JsonObject & { params: JsonObject }, meta: JsonObject) {
  const before = isObject(params._meta) ? params._meta : {}
  return { ...request, params: { ...params, _meta: { ...before, ...meta } } }
}

/** The result of a call, from JSON or from the last message of a stream of events. */
function resultOf(response: Seller): JsonObject | undefined {
  const body = response?.body
  const message =
    typeof body === 'string' ? body.split('\n').flatMap(dataOf).map(readJson).at(-1) : body
  return isObject(message) && isObject(message.result) ? message.result : undefined
}

const dataOf = (line: string): string[] => (line.startsWith('data:') ? [line.slice(5)] : [])

/** The `PaymentRequired` of x402 in a result: as data, or as the text of its first part. */
function demandOf(result: JsonObject | undefined): JsonObject | undefined {
  if (result?.isError !== true) return undefined
  const [part] = Array.isArray(result.content) ? result.content : []
  const text = isObject(part) && typeof part.text === 'string' ? readJson(part.text) : undefined
  return [result.structuredContent, text].find(
    (one): one is JsonObject => isObject(one) && Array.isArray(one.accepts),
  )
}

function isServed(response: Seller): boolean {
  const result = resultOf(response)
  if (!result || result.isError === true) return false
  const meta = isObject(result._meta) ? result._meta[RESPONSE] : undefined
  return !isObject(meta) || meta.success !== false
}
