import type { Uses } from '../../api/http/services.ts'
import type { Tx } from '../../base/db/sql.ts'
import { assetOf } from '../../chain/client/rails.ts'
import { releaseCardToken } from '../../money/cards/tokens/redeem.ts'
import { lockToken } from '../../money/cards/tokens/store.ts'
import { challengeOf } from './presented.ts'
import { deleteClaim, type PaywallPayment, saveOwed } from './store.ts'

/**
 * Gives a payment back that this attempt claimed and gave nothing for. A card of this service is free of it in the same transaction: nobody
 * else can take its token. On chain the seller could still settle elsewhere what it was shown, so that the payer's hold ends by
 * itself.
 */
export async function releasePayment(
  tx: Tx,
  { chain }: Uses<'chain'>,
  at: Date,
  { payment, attempt }: { payment: PaywallPayment; attempt: string },
): Promise<void> {
  const of = { id: payment.id, attempt }
  const isFree = (await deleteClaim(tx, of)) === 1
  if (!isFree) await saveOwed(tx, of)
  if (!isFree || payment.method !== 'agentcard') return
  const token = await lockToken(tx, challengeOf(payment))
  if (token)
    await releaseCardToken(tx, at, { token, asset: assetOf(chain, token), reason: 'refused' })
}
