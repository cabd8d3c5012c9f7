import type { Settings } from '../../api/http/settings.ts'
import { checkPerson } from '../../base/kernel/address.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { normalAddress } from '../../chain/client/reads.ts'
import { DEV_MARKET, DEV_REVENUE } from '../embedded/dev/market.ts'
import type { ChainChoice } from './chain.ts'
import type { Source, Variable } from './values.ts'

/** The contract that sells cards on chain, and the operator's address that its fees go to. */
export type OnChainSaleChoice = { market: Address | undefined; revenue: Address | undefined }

export const readOnChainSales = (from: Source): OnChainSaleChoice => ({
  market: readAddress(from, 'PURSER_CREDENTIAL_MARKET', 'of CredentialMarket on this chain'),
  revenue: readAddress(from, 'PURSER_REVENUE_ADDRESS', 'that fees of sales on chain go to'),
})

function readAddress(from: Source, name: Variable, what: string): Address | undefined {
  const text = from.text(name)
  if (text === undefined) return undefined
  try {
    const address = normalAddress(text, name)
    checkPerson(address, name)
    return address
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    from.fault(
      `${name} must be the address ${what}, 0x and 40 hex characters; leave it out if there is none.`,
    )
    return undefined
  }
}

/** The contract as the rooms receive it. Without an address for them, no fees are taken on chain. */
export function onChainSalesOf(
  { market, revenue }: OnChainSaleChoice,
  chain: ChainChoice,
): Settings['onChainSales'] {
  if (chain.kind === 'embedded') return { market: DEV_MARKET, feeReceiver: revenue ?? DEV_REVENUE }
  return market ? { market, feeReceiver: revenue ?? null } : null
}
