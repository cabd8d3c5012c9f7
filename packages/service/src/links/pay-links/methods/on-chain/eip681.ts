import type { Uses } from '../../../../api/http/services.ts'
import { assetOfLink } from '../../../link/link.ts'
import type { PayLink } from '../../../link/store.ts'

/** An EIP-681 URI that wallets open: a transfer of the link's token to its address. */
export function eip681(services: Uses<'chain'>, link: PayLink): string {
  const asset = assetOfLink(services.chain, link)
  const amount = link.amount === null ? '' : `&uint256=${link.amount}`
  return `ethereum:${asset.contract}@${asset.chainId}/transfer?address=${link.payTo}${amount}`
}
