import { z } from 'zod'
import { money, result } from '../result.ts'
import { shown } from '../untrusted.ts'
import { cardOf } from '../wallet.ts'
import { Order, type Ordered, orderOf } from './order.ts'
import { READS, type ToolCall, tool } from './tool.ts'

const ASKS = { ...READS, openWorldHint: true } as const
const Output = z.object({
  allowed: z.boolean().describe('Whether the card would pay this now'),
  rule: z.string().describe('The rule that decides'),
  message: z.string(),
  amount: z.number().describe('What would leave the card, fee included'),
  merchant_amount: z.number(),
  platform_fee: z.number(),
  asset: z.string(),
  protocol: z.string().nullable(),
  passes_at: z.string().nullable().describe('From when on it would be allowed, if waiting helps'),
})

/** Asks for the decision that `pay` would make now. Nothing moves. */
export async function simulatePay(order: Ordered, { wallet, purser }: ToolCall) {
  const card = cardOf(wallet)
  const body = { ...orderOf(order), card_id: card.id, card_token: card.token }
  const said = await purser.POST('/api/pay/simulate', { body })
  const { allowed, rule, amount, merchant_amount, platform_fee, protocol, passes_at } = said
  return {
    ...{ allowed, rule, amount, merchant_amount, platform_fee, protocol, passes_at },
    message: shown(said.message, 500),
    asset: 'USDC',
  }
}

type Simulated = Awaited<ReturnType<typeof simulatePay>>

function sentenceOf(said: Simulated): string {
  const { allowed, rule, amount, platform_fee, asset, protocol, passes_at, message } = said
  if (rule === 'no_payment_needed') return 'It costs nothing: the URL asked for no payment.'
  const price = `It costs ${money(amount, asset)} by ${protocol}, of it ${money(platform_fee, asset)} fee.`
  if (allowed) return `${price} The card may pay it. Nothing was paid.`
  const later = passes_at ? ` It may from ${passes_at} on.` : ''
  return `${price} The card may not pay it: ${message} (${rule})${later} Nothing was paid.`
}

export const quote = tool({
  name: 'quote',
  title: 'Price of a URL',
  description:
    'What a URL would cost, fee included, and whether the card may pay it. Asks the seller for its price and pays nothing. For a request with a body use simulate.',
  input: z.object({ url: Order.url, method: Order.method }),
  output: Output,
  annotations: ASKS,
  run: async (order, call) => {
    const said = await simulatePay(order, call)
    return result(sentenceOf(said), said)
  },
})

export const simulate = tool({
  name: 'simulate',
  title: 'Try a payment',
  description:
    'Decides as pay would now, with the same arguments, and says which rule decides. Sends the request without a payment: at a URL that asks for none it has its effect. Nothing is paid.',
  input: z.object(Order),
  output: Output,
  annotations: ASKS,
  run: async (order, call) => {
    const said = await simulatePay(order, call)
    return result(sentenceOf(said), said)
  },
})
