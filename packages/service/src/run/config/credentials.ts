import type { Settings } from '../../api/http/settings.ts'
import type { Address, Asset } from '../../base/kernel/assets.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { IDENTITY_REGISTRIES } from '../../chain/client/public/contracts.ts'
import { normalAddress } from '../../chain/client/reads.ts'
import { DEV_VAULT } from '../embedded/dev/credentials.ts'
import type { ChainChoice } from './chain.ts'
import { readWhole, type Source } from './values.ts'

/**
 * Identity tokens: the vault that holds them, and how many a day all wallets may mint. `lookupsPerDay` is how often a key may
 * look credentials up.
 */
export type CredentialChoice = {
  vault: Address | undefined
  mintsPerDay: number
  lookupsPerDay: number
  /** As in `Settings`. */
  vestingDays: number
}

export function readCredentials(from: Source): CredentialChoice {
  return {
    vault: readVault(from),
    mintsPerDay: readWhole(from, 'PURSER_MINTS_PER_DAY', {
      least: 0,
      most: 1_000_000,
      otherwise: 1_000,
    }),
    vestingDays: readWhole(from, 'PURSER_CRT_VESTING_DAYS', {
      least: 1,
      most: 36_500,
      otherwise: 365,
    }),
    lookupsPerDay: readWhole(from, 'PURSER_CREDENTIAL_LOOKUPS', {
      least: 0,
      most: 100_000_000,
      otherwise: 1_000,
    }),
  }
}

function readVault(from: Source): Address | undefined {
  const name = 'PURSER_CREDENTIAL_VAULT'
  const text = from.text(name)
  if (text === undefined) return undefined
  try {
    return normalAddress(text, name)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    from.fault(
      `${name} must be the address of CredentialVault on this chain, 0x and 40 hex characters; leave it out for a service without identity tokens.`,
    )
    return undefined
  }
}

/** The explorer that links lead to. */
export function readExplorerUrl(from: Source): string | undefined {
  const text = from.text('PURSER_EXPLORER_URL')
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username)
    return url.href.replace(/\/+$/, '')
  from.fault(
    'PURSER_EXPLORER_URL must be the http or https address of an explorer, e.g. https://basescan.org; leave it out for the usual one.',
  )
  return undefined
}

/** The contracts of identity tokens as the rooms receive them. */
export function identityOf({
  credentials,
  asset,
  chain,
}: {
  credentials: CredentialChoice
  asset: Asset
  chain: ChainChoice
}): Settings['identity'] {
  const { mintsPerDay } = credentials
  const vault = chain.kind === 'embedded' ? DEV_VAULT : credentials.vault
  const registry = IDENTITY_REGISTRIES[asset.network]
  return vault && registry ? { registry, vault, perDay: mintsPerDay } : null
}
