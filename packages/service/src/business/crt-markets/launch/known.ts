import type { Uses } from '../../../api/http/services.ts'
import type { Reader } from '../../../base/db/sql.ts'
import type { Address } from '../../../base/kernel/assets.ts'
import { assetsOf } from '../../../chain/client/rails.ts'
import { glancesOf } from '../../../money/tokens/names/glance.ts'
import { findAlike } from '../store.ts'
import type { Known } from './names.ts'

/**
 * Tokens that nobody may imitate: of the credential tokens in the markets here, those of other creators that look like one of
 * these texts. A token that some wallet registered is none: anybody could keep names from others by it.
 */
export const findKnown = (
  on: Reader,
  { chain }: Uses<'chain'>,
  of: { creator: Address; texts: readonly string[] },
): Promise<Known[]> =>
  findAlike(on, {
    network: chain.network,
    creator: of.creator,
    glances: of.texts.flatMap(glancesOf),
    plain: of.texts.map((text) => text.toUpperCase()),
  })

/** The assets of this service. Their names are nobody else's, not even as plain words. */
export const ownNames = ({ chain }: Uses<'chain'>): string[] =>
  assetsOf(chain).flatMap(({ symbol, eip712 }) => [symbol, eip712.name])
