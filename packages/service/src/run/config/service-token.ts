import type { Address, Asset } from '../../base/kernel/assets.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { normalAddress } from '../../chain/client/reads.ts'
import { readWholeUnits, type Source } from './values.ts'

const FORM = /^(0x[0-9a-fA-F]{40}):([A-Z0-9]{1,11}):(0|[1-9]\d?)$/
/** More decimals than this leave no room for prices in a number of 78 digits. */
const DECIMALS_MAX = 36

/** The token beside USDC that balances are kept in, and that pays memberships; undefined without one. */
export function readServiceToken(from: Source, usdc: Asset): Asset | undefined {
  const text = from.text('PURSER_SERVICE_TOKEN')
  if (text === undefined) return undefined
  const [, address, symbol = '', decimals] = FORM.exec(text) ?? []
  const contract = address && normalAddress(address, 'PURSER_SERVICE_TOKEN')
  if (!contract || Number(decimals) > DECIMALS_MAX || isUsdc(usdc, { contract, symbol })) {
    from.fault(
      'PURSER_SERVICE_TOKEN must be a token beside USDC as address:symbol:decimals, e.g. 0x5075727365720000000000000000000000000004:DEV:18; leave it out to take USDC alone.',
    )
    return undefined
  }
  return {
    network: usdc.network,
    chainId: usdc.chainId,
    contract: contract as Address,
    symbol,
    decimals: Number(decimals),
    eip712: { name: symbol, version: '1' },
  }
}

/** The fee of a withdrawal of the token, and its least amount, in base units. */
export const readTokenWithdrawal = (
  from: Source,
  token: Asset,
): { fee: Amount; minimum: Amount } => ({
  fee: readWholeUnits(from, token, {
    name: 'PURSER_SERVICE_TOKEN_WITHDRAWAL_FEE',
    otherwise: '0',
  }),
  minimum: readWholeUnits(from, token, {
    name: 'PURSER_SERVICE_TOKEN_WITHDRAWAL_MINIMUM',
    otherwise: '1',
  }),
})

const isUsdc = (usdc: Asset, token: Pick<Asset, 'contract' | 'symbol'>): boolean =>
  token.contract === usdc.contract || token.symbol === usdc.symbol
