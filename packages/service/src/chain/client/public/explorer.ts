import type { Network } from '../../../base/kernel/assets.ts'

const PUBLIC: Readonly<Record<Network, string>> = {
  'eip155:8453': 'https://basescan.org',
  'eip155:84532': 'https://sepolia.basescan.org',
}

type Site = {
  network: Network
  publicUrl: string
  explorerUrl: string | null
  embeddedRpcUrl: string | null
}

/** The public explorer of a public chain, if we know one. */
export const publicExplorerOf = (network: Network): string | null => PUBLIC[network] ?? null

/**
 * The base of links to blocks, addresses and tokens of a network, without a slash at its end: the configured or public
 * explorer, or our own pages of the embedded chain. Empty if there is none.
 */
export function explorerBaseOf(network: Network, site: Site): string {
  if (network !== site.network) return publicExplorerOf(network) ?? ''
  return site.explorerUrl ?? (site.embeddedRpcUrl === null ? '' : `${site.publicUrl}/explorer`)
}
