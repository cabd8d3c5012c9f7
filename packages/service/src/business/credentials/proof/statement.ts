import type { Uses } from '../../../api/http/services.ts'
import type { Reader } from '../../../base/db/sql.ts'
import { unixSeconds } from '../../../base/kernel/clock.ts'
import { signJws } from '../../../base/protocols/ap2/jose/jws.ts'
import type { JsonObject } from '../../../base/protocols/json.ts'
import { readHeads } from '../../../money/ledger/seals/store-checkpoints.ts'
import { readProgress } from '../../stats/store-progress.ts'
import type { Credential } from '../find.ts'
import { METHOD } from '../view.ts'
import { rootOf } from './merkle.ts'
import type { Walked, Walking } from './walk.ts'

export const STATEMENT_TYPE = 'purser-credential-proof+jwt'

/** The content of the statement. What can be added up from the leaves is in `figures`; `declared` rests on our word. */
export async function statementOf(
  on: Reader,
  {
    credential: { stats },
    walking,
    walked,
  }: { credential: Credential; walking: Walking; walked: Walked },
  issuer: string,
): Promise<JsonObject> {
  const { cardId, asset, at } = walking
  const [heads, progress] = await Promise.all([readHeads(on), readProgress(on)])
  return {
    iss: issuer,
    sub: cardId,
    iat: unixSeconds(at),
    method: METHOD,
    network: asset.network,
    asset: asset.symbol,
    decimals: asset.decimals,
    figures: figuresOf(walked),
    leaf_count: walked.sums.payments,
    merkle_root: rootOf(walked.roots).toString('base64url'),
    declared: {
      self_payments_excluded: stats.selfPayments,
      exceptions: stats.exceptions,
      other_assets: stats.otherAssets,
    },
    as_of: {
      at: at.toISOString(),
      sequence: String(heads.reduce((sum, { seq }) => sum + seq, 0n)),
      block: progress.block === null ? null : Number(progress.block),
    },
  }
}

function figuresOf({ sums }: Walked): JsonObject {
  let [repeat, largest] = [0, 0n]
  for (const { payments, revenue } of sums.payers.values()) {
    if (payments > 1) repeat++
    if (revenue > largest) largest = revenue
  }
  return {
    revenue_lifetime: String(sums.revenue),
    payments_lifetime: sums.payments,
    revenue_30d: String(sums.revenue30d),
    payments_30d: sums.payments30d,
    refunded: String(sums.refunded),
    distinct_protocols: sums.protocols.size,
    first_active: sums.first,
    last_active: sums.last,
    payers: sums.payers.size,
    repeat_payers: repeat,
    largest_payer: String(largest),
  }
}

/** The statement, signed by the service's key. */
export async function signStatement(
  { signing }: Uses<'signing'>,
  content: JsonObject,
  at: Date,
): Promise<string> {
  const { kid, sign } = await signing.current(at)
  return signJws({ typ: STATEMENT_TYPE, kid }, content, sign)
}
