import type { Services } from '../../../http/services.ts'
import type { PayLink } from '../../store.ts'

/** An EIP-681 URI that wallets open: a USDC transfer to the link's address. */
export function eip681(services: Services, link: PayLink): string {
  const { asset } = services.chain
  const amount = link.amount === null ? '' : `&uint256=${link.amount}`
  return `ethereum:${asset.contract}@${asset.chainId}/transfer?address=${link.depositAddress}${amount}`
}
