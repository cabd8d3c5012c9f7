import type { Uses } from '../../api/http/services.ts'
import { asAddress } from '../../chain/client/reads.ts'
import { findLiveToken, type LiveMarket } from './store.ts'

/** The live market of the token at the address in this text; undefined for any other text. */
export async function findMarketOf(
  { chain, db }: Uses<'chain' | 'db'>,
  text: string,
): Promise<LiveMarket | undefined> {
  const token = asAddress(text)
  return token && findLiveToken(db.reader, { network: chain.network, token })
}
