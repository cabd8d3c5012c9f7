import { ap2 } from './ap2/method.ts'
import { card } from './card/method.ts'
import type { PayMethod } from './method.ts'
import { mpp } from './mpp/method.ts'
import { onChain } from './on-chain/method.ts'
import { x402 } from './x402/method.ts'

/**
 * Every way to pay a link, in the order in which a person is shown them. The 402, `prepare`, the checkout page and the
 * settle route find their methods here.
 */
export const METHODS: readonly PayMethod[] = [x402, mpp, onChain, card, ap2]
