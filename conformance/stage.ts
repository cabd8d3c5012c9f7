import type { FacilitatorClient } from '@x402/core/server'
import { cardOf, issue } from '../packages/service/test/attack-kit.ts'
import { type User, world } from '../packages/service/test/world.ts'
import { officialFacilitator } from '../packages/service/test/x402-sellers.ts'
import type { FacilitatorName } from './matrix.ts'
import { purserFacilitator } from './parties/facilitators.ts'

/** Somebody with an API key. */
export type Holder = Pick<User, 'key' | 'get' | 'post'>
/** A service that listens, somebody who sells there, and the chain. */
export type Place = { baseUrl: string; rpcUrl: string; seller: Holder }

/** A place with all that it is made of, and with both facilitators. */
export async function openStage() {
  const w = await world()
  await w.withGas()
  const baseUrl = await w.listen()
  const seller = await w.user({ treasury: 100 })
  const facilitators: Record<FacilitatorName, FacilitatorClient> = {
    purser: purserFacilitator(baseUrl, seller),
    '@x402/core': await officialFacilitator(),
  }
  return {
    w,
    baseUrl,
    rpcUrl: w.rpcUrl,
    seller,
    facilitators,
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  }
}
export type Stage = Awaited<ReturnType<typeof openStage>>

/** A link of the seller that asks for so many dollars, and what its card has received. */
export async function openLink(
  { baseUrl, seller }: Pick<Place, 'baseUrl' | 'seller'>,
  amount: string,
  link: object = {},
) {
  const card = await issue(seller, 1)
  const made = await seller.post('/api/paylinks', { card_id: card.id, amount, ...link })
  if (made.status !== 200) throw new Error(made.text)
  const { code, deposit_address } = made.body as { code: string; deposit_address: `0x${string}` }
  return {
    code,
    payTo: deposit_address,
    url: `${baseUrl}/pay/${code}`,
    received: () => cardOf(seller, card.id).then(({ received }): number => received),
  }
}
