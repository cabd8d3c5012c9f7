import type { PayMethod } from '../method.ts'
import { ap2Prepare } from './offer.ts'
import { ap2Program } from './page.ts'

/** An AP2 mandate from a card. The room `ap2` above settles it: `POST /api/ap2/settle`. */
export const ap2: PayMethod = {
  protocol: 'ap2',
  label: 'mandate (AP2)',
  prepare: ap2Prepare,
  page: { program: ap2Program },
}
