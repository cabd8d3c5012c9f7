import { Type } from 'typebox'
import { AmountOut } from '../../../api/http/fields.ts'
import { perServices, type Uses } from '../../../api/http/services.ts'
import { gather } from '../../../base/db/lanes/gather.ts'
import { toNumber } from '../../../base/kernel/money.ts'
import { finalityOf } from '../../../chain/client/credit-level.ts'
import { assetOfLink } from '../link.ts'
import type { PayLink } from '../store.ts'
import { findSeen, type SeenPayment } from './store-seen.ts'

export const SeenBody = Type.Union(
  [
    Type.Object({
      tx_hash: Type.String({
        description: 'Hash of the transaction on chain',
      }),
      amount: AmountOut,
      confirmations: Type.Integer({
        description: 'Blocks from that of the transfer to the newest',
      }),
      needed: Type.Integer({ description: 'About how many it has when it counts' }),
    }),
    Type.Null(),
  ],
  {
    description:
      'A transfer to the link that is in a block and not credited yet; never a promise that it will be',
  },
)

/** Pages that wait ask again and again: callers of a moment share a read. */
const seenOf = perServices(({ db }: Uses<'db'>) => gather((codes) => findSeen(db.reader, codes)))

/** The transfer that was seen for the link, if any. Asks the database only. */
export const readSeen = (services: Uses<'db'>, link: PayLink): Promise<SeenPayment | undefined> =>
  seenOf(services)(link.code)

/** How deep the block of the transfer is, and about how deep it must be: no less, since it does not count yet. */
export function depthOf(
  { chain }: Uses<'chain'>,
  seen: SeenPayment,
): { confirmations: number; needed: number } {
  const { amount, blockNumber, latest } = seen
  const level = seen[finalityOf(chain.creditLevels, amount)]
  const confirmations = Math.max(1, Number(latest - blockNumber + 1n))
  return { confirmations, needed: Math.max(confirmations, Number(latest - level + 1n)) }
}

export const seenBody = (
  services: Uses<'chain'>,
  { link, seen }: { link: PayLink; seen: SeenPayment | undefined },
) =>
  seen
    ? {
        tx_hash: seen.txHash,
        amount: toNumber(seen.amount, assetOfLink(services.chain, link).decimals),
        ...depthOf(services, seen),
      }
    : null
