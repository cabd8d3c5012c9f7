import type { FacilitatorClient } from '@x402/core/server'
import { expect } from 'vitest'
import { readLiabilities } from '../packages/service/src/money/ledger/verify/verify.ts'
import { cardOf, issue } from '../packages/service/test/actors/attack-kit.ts'
import { officialFacilitator } from '../packages/service/test/sellers/x402-sellers.ts'
import { until } from '../packages/service/test/until.ts'
import { type User, world } from '../packages/service/test/world.ts'
import type { FacilitatorName } from './matrix.ts'
import { purserFacilitator } from './parties/facilitators.ts'

/** The amount that a receiver in the books gets of the price: less the platform's 0.5 %. */
export const NET_USD = 0.00995

/** A client with an API key. */
export type Holder = Pick<User, 'key' | 'get' | 'post'>
/** A listening service, a seller on it, and the chain. */
export type Place = { baseUrl: string; rpcUrl: string; seller: Holder }

/** A whole stage: a place with its world, and both facilitators. */
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

/** The seller's link for this many dollars, and a reader of the amount that its card has received. */
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

/** Finishes all open work, and compares the books with the chain: custody is the same in both, to the unit. */
export async function expectBooksToMatch({ w }: Pick<Stage, 'w'>): Promise<void> {
  const look = async () => {
    await w.safe()
    await w.advance(0)
    await w.runJobs()
    const [books] = await readLiabilities(w.db.reader)
    if (!books) throw new Error('there are no books')
    const { custody, outbound } = books
    return { outbound, difference: custody - (await w.treasuryOnChain()) }
  }
  const end = { outbound: 0n, difference: 0n }
  await until(look, (seen) => expect(seen).toEqual(end))
  expect(await w.faults()).toEqual([])
}
