import type { Settings } from '../../../../api/http/settings.ts'
import type { Reader, Tx } from '../../../../base/db/sql.ts'
import type { Asset } from '../../../../base/kernel/assets.ts'
import { addHours } from '../../../../base/kernel/clock.ts'
import { type Amount, toNumber } from '../../../../base/kernel/money.ts'
import { Problem } from '../../../../base/kernel/problem.ts'
import type { Rail } from '../../../../chain/client/chain.ts'
import { isTokenRail } from '../../../../chain/client/rails.ts'
import { findRoom, lockCaps, sumCounted } from './store-caps.ts'

/** The most that may leave in 24 hours, in base units: of one wallet, and of all. Null for no cap. */
export type Caps = { walletCap: Amount | null; treasuryCap: Amount | null }

export const NO_CAPS: Caps = { walletCap: null, treasuryCap: null }
const HOURS = 24

/** The caps of the rail's asset. They are amounts of USDC, so the service token has none. */
export const capsOf = ({ payouts }: Settings, rail: Rail): Caps =>
  isTokenRail(rail) ? NO_CAPS : { walletCap: payouts.walletCap, treasuryCap: payouts.treasuryCap }

type Capped = Caps & { walletAddress: string; amount: Amount }

/**
 * Refuses a withdrawal above a cap with `payout_cap_reached`, and says when there is room for it. Without the lock of
 * `lockCaps` it is a first look only.
 */
export async function checkCaps(on: Reader, asset: Asset, ask: Capped): Promise<void> {
  const { walletAddress, walletCap, treasuryCap } = ask
  const limits = [
    { cap: 'wallet', of: walletAddress, limit: walletCap },
    { cap: 'treasury', of: null, limit: treasuryCap },
  ] as const
  for (const { cap, of, limit } of limits) {
    if (limit === null) continue
    const used = await sumCounted(on, asset, of)
    const over = used + ask.amount - limit
    if (over <= 0n) continue
    const counted = ask.amount > limit ? undefined : await findRoom(on, asset, { of, over })
    throw aboveCap(asset, { cap, limit, counted })
  }
}

/** As `checkCaps`, under the lock that is held until the withdrawal is written. */
export async function lockRoom(tx: Tx, asset: Asset, ask: Capped): Promise<void> {
  if (ask.walletCap === null && ask.treasuryCap === null) return
  await lockCaps(tx, asset)
  await checkCaps(tx, asset, ask)
}

type Counted = { countedAt: Date; now: Date }

function aboveCap(
  { symbol, decimals }: Asset,
  reached: { cap: 'wallet' | 'treasury'; limit: Amount; counted: Counted | undefined },
): Problem {
  const { cap, limit, counted } = reached
  const shown = toNumber(limit, decimals)
  const whose = cap === 'wallet' ? 'Your wallet' : 'This service'
  const sentence = `${whose} pays out at most ${shown} ${symbol} in ${HOURS} hours.`
  if (!counted)
    return new Problem('payout_cap_reached', `${sentence} Ask for less. Nothing was moved.`, {
      extra: { cap, limit: shown, room_at: null },
      isPassing: true,
    })
  const roomAt = addHours(counted.countedAt, HOURS)
  const seconds = Math.max(1, Math.ceil((roomAt.getTime() - counted.now.getTime()) / 1000))
  return new Problem(
    'payout_cap_reached',
    `${sentence} There is room for this withdrawal at ${roomAt.toISOString()}. Nothing was moved; ask for less, or again then.`,
    {
      extra: { cap, limit: shown, room_at: roomAt.toISOString() },
      headers: { 'retry-after': String(seconds) },
      isPassing: true,
    },
  )
}
