import { NullableString } from '../../../../api/http/fields.ts'
import type { Prepare } from '../method.ts'
import { eip681 } from './eip681.ts'

export const onChainPrepare: Prepare = {
  field: 'eip681',
  schema: NullableString('The payment as a URI that wallets read (EIP-681)'),
  read: async (services, _, link) => eip681(services, link),
}
