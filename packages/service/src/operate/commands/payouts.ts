import type { Chain } from '../../chain/chain.ts'
import type { Db } from '../../db/sql.ts'
import { formatAmount } from '../../kernel/money.ts'
import { reasonToHold } from '../../reconcile/payouts.ts'
import {
  findPayoutStanding,
  insertPayoutOrder,
  type PayoutStanding,
} from '../../reconcile/store-payouts.ts'
import { StartError } from '../start/start-error.ts'

const NOTE_MAX = 500
type Books = { db: Db; chain: Chain }

export const PAYOUT_VERBS = ['release', 'stop'] as const
export type PayoutVerb = (typeof PAYOUT_VERBS)[number]

export const readPayouts = ({ db, chain }: Books): Promise<PayoutStanding> =>
  findPayoutStanding(db.reader, chain.network)

/** Stops payouts, or releases them at the shortage of the newest comparison: a larger one holds them again. */
export async function orderPayouts(
  { db, chain }: Books,
  at: Date,
  { kind, note }: { kind: PayoutVerb; note: string },
): Promise<PayoutStanding> {
  const text = note.trim()
  if (text === '' || text.length > NOTE_MAX)
    throw new StartError(`Say why, in 1 to ${NOTE_MAX} characters: --note "…"`)
  await db.write(async (tx) => {
    const { shortage } = await findPayoutStanding(tx, chain.network)
    const order = { network: chain.network, kind, note: text }
    await insertPayoutOrder(tx, at, { ...order, shortage: kind === 'release' ? shortage : 0n })
  })
  return readPayouts({ db, chain })
}

/** The state of payouts for a person. */
export function payoutsText(chain: Chain, standing: PayoutStanding): string {
  const why = reasonToHold(chain, standing)
  const { order, comparedAt, shortage } = standing
  return [
    why ? `Payouts are held. ${why}` : 'Payouts are made.',
    comparedAt
      ? `The books were last compared with the chain at ${comparedAt.toISOString()}: ${shortageText(chain, shortage)}.`
      : 'The books have not been compared with the chain yet. The first payout does it.',
    ...(order
      ? [`Last order: ${order.kind}, ${order.createdAt.toISOString()}: ${order.note}`]
      : []),
  ].join('\n')
}

const shortageText = ({ asset }: Chain, shortage: bigint): string =>
  shortage === 0n
    ? 'nothing is missing'
    : `${formatAmount(shortage, asset.decimals)} ${asset.symbol} are missing`

/** The state of payouts for a program. */
export const payoutsJson = (chain: Chain, standing: PayoutStanding): string =>
  JSON.stringify(
    {
      held: reasonToHold(chain, standing) ?? null,
      shortage: formatAmount(standing.shortage, chain.asset.decimals),
      compared_at: standing.comparedAt?.toISOString() ?? null,
      order: standing.order
        ? {
            kind: standing.order.kind,
            shortage: formatAmount(standing.order.shortage, chain.asset.decimals),
            note: standing.order.note,
            created_at: standing.order.createdAt.toISOString(),
          }
        : null,
    },
    null,
    2,
  )
