import type { Uses } from '../../api/http/services.ts'
import type { Reader } from '../../base/db/sql.ts'
import type { Chain } from '../../chain/client/chain.ts'
import { asAddress } from '../../chain/client/reads.ts'
import { findLiveToken, type LiveMarket } from './store.ts'

/** The live market of the token at the address in this text; undefined for any other text. */
export const findMarketOf = (
  { chain, db }: Uses<'chain' | 'db'>,
  text: string,
): Promise<LiveMarket | undefined> => findMarket(db.reader, { network: chain.network, text })

/** The same, by this reader. */
export async function findMarket(
  on: Reader,
  { network, text }: { network: Chain['network']; text: string },
): Promise<LiveMarket | undefined> {
  const token = asAddress(text)
  return token && findLiveToken(on, { network, token })
}
