import { z } from 'zod'
import { money, result } from '../result.ts'
import { shownName } from '../untrusted.ts'
import { ToolRefusal } from '../wallet.ts'
import { READS, tool } from './tool.ts'

const Row = z.object({
  id: z.string(),
  direction: z.string(),
  amount: z.number(),
  fee: z.number(),
  asset: z.string(),
  merchant: z.string().describe('The other side, as it named itself'),
  protocol: z.string(),
  status: z.string(),
  created_at: z.string(),
  settled_at: z.string().nullable(),
  tx_hash: z.string().nullable(),
  refund_of: z
    .string()
    .optional()
    .describe('Of a refund, which is a row of its own: the payment. Its fee is not given back'),
})
type Known = z.output<typeof Row>

/** A payment with the fields that an agent needs. The names of others are shortened. */
export const rowOf = (row: Known): Known => ({
  id: row.id,
  direction: row.direction,
  amount: row.amount,
  fee: row.fee,
  asset: row.asset,
  merchant: shownName(row.merchant),
  protocol: row.protocol,
  status: row.status,
  created_at: row.created_at,
  settled_at: row.settled_at,
  tx_hash: row.tx_hash,
  ...(row.refund_of !== undefined && { refund_of: row.refund_of }),
})

export const lineOf = (row: Known): string =>
  `${row.created_at} ${row.id} ${row.direction === 'outbound' ? 'paid' : row.direction} ${money(row.amount, row.asset)} ${row.merchant} by ${row.protocol}: ${row.refund_of === undefined ? row.status : `refund of ${row.refund_of}`}`

export const payments = tool({
  name: 'payments',
  title: 'Recent payments',
  description:
    'The last payments of the card, newest first. Look here before you pay something that you may have paid already. Reads only.',
  input: z.object({
    limit: z.number().int().min(1).max(50).optional().describe('At most 50; 10 without it'),
    after: z.string().max(64).optional().describe('The id after which to go on'),
  }),
  output: z.object({ payments: z.array(Row), has_more: z.boolean() }),
  annotations: READS,
  run: async ({ limit = 10, after }, { wallet, purser }) => {
    const query = {
      ...(wallet.card && { card_id: wallet.card.id }),
      ...(after !== undefined && { after }),
      limit,
    }
    const page = await purser.GET('/api/payments', { params: { query } })
    const rows = page.payments.map(rowOf)
    const shown = { payments: rows, has_more: page.has_more }
    if (rows.length === 0) return result('No payments yet.', shown)
    return result(`${rows.length} payments, newest first.`, shown, [rows.map(lineOf).join('\n')])
  },
})

export const payment = tool({
  name: 'payment',
  title: 'One payment',
  description:
    'How one payment stands: PENDING and UNKNOWN may still be taken, so do not pay again under a new intent_id; SETTLED is done; FAILED took nothing. Reads only.',
  input: z.object({
    transaction_id: z.string().min(1).max(100).optional().describe('As pay answers it'),
    id: z.string().min(1).max(100).optional().describe('The same, as payments lists it'),
  }),
  output: Row.extend({
    url: z.string().nullable().describe('What was paid for, if this service paid'),
    response_status: z.number().nullable().describe('HTTP status of the seller'),
    refunded: z.number(),
  }),
  annotations: READS,
  run: async ({ transaction_id, id = transaction_id }, { purser }) => {
    if (id === undefined || (transaction_id ?? id) !== id)
      throw new ToolRefusal('invalid_field', 'Name one payment by its transaction_id.')
    const { payment: found } = await purser.GET('/api/payments/{id}', { params: { path: { id } } })
    const row = rowOf(found)
    return result(lineOf(row), {
      ...row,
      url: found.request ? found.request.url : null,
      response_status: found.request ? found.request.response_status : null,
      refunded: found.refunded,
    })
  },
})
