import type { PayMethod } from '../method.ts'
import { x402Demand, x402Prepare } from './offer.ts'
import { browserWallet, x402Program } from './page.ts'
import { x402Present } from './present.ts'

/** Anyone's USDC, by a signature in a header. The service pays the gas. */
export const x402: PayMethod = {
  protocol: 'x402',
  label: 'wallet signature (x402)',
  prepare: x402Prepare,
  demand: x402Demand,
  present: x402Present,
  page: { way: browserWallet, program: x402Program },
}
