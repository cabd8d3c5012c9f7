import type { Db, Reader } from '../../../base/db/sql.ts'
import { formatAmount } from '../../../base/kernel/money.ts'
import type { Chain, Rail } from '../../../chain/client/chain.ts'
import { railsOf } from '../../../chain/client/rails.ts'
import { reasonToHold } from '../../../links/reconcile/payouts.ts'
import {
  findPayoutStanding,
  insertPayoutOrder,
  type PayoutStanding,
} from '../../../links/reconcile/store-payouts.ts'
import { subjectOf } from '../../../links/reconcile/troubles.ts'
import { noteCommand } from '../command-line.ts'
import { StartError } from '../start-error.ts'

const NOTE_MAX = 500
type Books = { db: Db; chain: Chain }

export const PAYOUT_VERBS = ['release', 'stop'] as const
export type PayoutVerb = (typeof PAYOUT_VERBS)[number]

/** The state of payouts in one asset. */
export type PayoutState = { rail: Rail; standing: PayoutStanding }

/** The state of payouts in each asset, USDC first. */
export const readPayouts = ({ db, chain }: Books): Promise<PayoutState[]> =>
  Promise.all(
    railsOf(chain).map(async (rail) => ({
      rail,
      standing: await readStanding(db.reader, rail),
    })),
  )

/** The note of an order, which must say something. */
export function readNote(note: string): string {
  const text = note.trim()
  if (text === '' || text.length > NOTE_MAX)
    throw new StartError(`Say why, in 1 to ${NOTE_MAX} characters: --note "…"`)
  return text
}

const readStanding = (on: Reader, { network, asset }: Rail): Promise<PayoutStanding> =>
  findPayoutStanding(on, { network, asset: asset.symbol })

/**
 * Stops payouts, or releases them at the shortage of the newest comparison: a larger one holds them again. In every asset at
 * once, each at its own shortage.
 */
export async function orderPayouts(
  { db, chain }: Books,
  at: Date,
  { kind, note }: { kind: PayoutVerb; note: string },
): Promise<PayoutState[]> {
  const text = readNote(note)
  await db.write(async (tx) => {
    for (const rail of railsOf(chain)) {
      const { shortage } = await readStanding(tx, rail)
      await insertPayoutOrder(tx, at, {
        network: rail.network,
        asset: rail.asset.symbol,
        kind,
        note: text,
        shortage: kind === 'release' ? shortage : 0n,
      })
      const act = kind === 'release' ? 'payouts.released' : 'payouts.stopped'
      await noteCommand(tx, at, { act, subject: subjectOf(rail), note: text })
    }
  })
  return readPayouts({ db, chain })
}

/** The state of payouts for a person. */
export const payoutsText = (states: readonly PayoutState[]): string =>
  states.map((state) => stateText(state, states.length > 1)).join('\n\n')

function stateText({ rail, standing }: PayoutState, isOneOfMany: boolean): string {
  const why = reasonToHold(rail, standing)
  const { order, comparedAt, shortage } = standing
  const of = isOneOfMany ? ` of ${rail.asset.symbol}` : ''
  return [
    why ? `Payouts${of} are held. ${why}` : `Payouts${of} are made.`,
    comparedAt
      ? `The books were last compared with the chain at ${comparedAt.toISOString()}: ${shortageText(rail, shortage)}.`
      : 'The books have not been compared with the chain yet. The first payout does it.',
    ...(order
      ? [`Last order: ${order.kind}, ${order.createdAt.toISOString()}: ${order.note}`]
      : []),
  ].join('\n')
}

const shortageText = ({ asset }: Rail, shortage: bigint): string =>
  shortage === 0n
    ? 'nothing is missing'
    : `${formatAmount(shortage, asset.decimals)} ${asset.symbol} are missing`

/** The state of payouts for a program: USDC's, and those of the service token in `others`. */
export function payoutsJson(states: readonly PayoutState[]): string {
  const [usdc, ...others] = states.map(stateJson)
  return JSON.stringify({ ...usdc, ...(others.length > 0 ? { others } : {}) }, null, 2)
}

const stateJson = ({ rail, standing }: PayoutState) => ({
  asset: rail.asset.symbol,
  held: reasonToHold(rail, standing) ?? null,
  shortage: formatAmount(standing.shortage, rail.asset.decimals),
  compared_at: standing.comparedAt?.toISOString() ?? null,
  order: standing.order
    ? {
        kind: standing.order.kind,
        shortage: formatAmount(standing.order.shortage, rail.asset.decimals),
        note: standing.order.note,
        created_at: standing.order.createdAt.toISOString(),
      }
    : null,
})
