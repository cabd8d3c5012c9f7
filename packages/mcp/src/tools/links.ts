import { createHash } from 'node:crypto'
import { z } from 'zod'
import { money, result } from '../result.ts'
import { cardOf } from '../wallet.ts'
import { nameOf } from './intent.ts'
import { Amount, IntentId } from './order.ts'
import { READS, tool } from './tool.ts'

export const createPayLink = tool({
  name: 'create_pay_link',
  title: 'Make a pay link',
  description:
    'Makes a link by which others pay into the card, by x402, MPP, AP2, a card or a transfer. Moves no money. A repetition with the same intent_id, or with the same arguments within an hour, gives the same link.',
  input: z.object({
    amount: Amount.optional().describe('In USDC; without it the payer chooses'),
    memo: z.string().max(200).optional().describe('What it is for, as the payer reads it'),
    max_uses: z.number().int().min(1).max(1_000_000).optional().describe('1 without it'),
    expires_in_hours: z.number().int().min(1).max(8_760).optional(),
    intent_id: IntentId.optional(),
  }),
  output: z.object({
    code: z.string(),
    url: z.string(),
    amount: z.string().nullable().describe('Null where the payer chooses'),
    asset: z.string(),
    status: z.string(),
    intent_id: z.string(),
  }),
  annotations: { readOnlyHint: false, idempotentHint: true, openWorldHint: false },
  run: async ({ intent_id, amount, memo, max_uses, expires_in_hours }, call) => {
    const order = {
      card_id: cardOf(call.wallet).id,
      ...(amount !== undefined && { amount }),
      ...(memo !== undefined && { memo }),
      ...(max_uses !== undefined && max_uses > 1 && { type: 'RECURRING' as const, max_uses }),
      ...(expires_in_hours !== undefined && { expires_in: expires_in_hours }),
    }
    const digest = createHash('sha256')
      .update(`link ${JSON.stringify(order)}`)
      .digest('hex')
    const { id } = await nameOf(call, { intent_id, digest })
    const link = await call.purser.createPayLink(order, { idempotencyKey: id })
    const asset = link.asset ?? 'USDC'
    const price = link.amount === null ? null : String(link.amount)
    const words = price === null ? 'an amount of the payer’s choice' : money(price, asset)
    return result(`${link.url} takes ${words}.`, {
      code: link.code,
      url: link.url,
      amount: price,
      asset,
      status: link.status,
      intent_id: id,
    })
  },
})

export const linkStatus = tool({
  name: 'link_status',
  title: 'Whether a pay link was paid',
  description:
    'Whether a pay link was paid, and whether a transfer to it is on its way. Reads only.',
  input: z.object({
    code: z
      .string()
      .regex(/^PL_[0-9A-Za-z_]{1,60}$/i)
      .describe('PL_…'),
  }),
  output: z.object({
    code: z.string(),
    status: z.string(),
    confirmed_at: z.string().nullable(),
    coming: z.number().nullable().describe('A transfer that is in a block and not credited yet'),
  }),
  annotations: READS,
  run: async ({ code }, { purser }) => {
    const path = { code }
    const found = await purser.GET('/api/paylinks/{code}/status', { params: { path } })
    const { status, confirmed_at, seen } = found
    const coming = seen === null ? null : seen.amount
    const note =
      coming === null
        ? ''
        : ` A transfer of ${money(coming, 'USDC')} is on its way, not credited yet.`
    const text =
      confirmed_at === null
        ? `${code} is ${status}; no payment is confirmed.`
        : `${code} was paid at ${confirmed_at}.`
    return result(text + note, { code, status, confirmed_at, coming })
  },
})
