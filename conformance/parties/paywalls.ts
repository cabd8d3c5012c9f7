import { createPurser } from '@purser/sdk'
import { expect } from 'vitest'
import { type Adapter, openShop } from '../../packages/paywall/test/stage.ts'
import { readAssetBalance } from '../../packages/service/src/chain/client/reads.ts'
import { cardOf, issue } from '../../packages/service/test/actors/attack-kit.ts'
import type { PaywallName } from '../matrix.ts'
import { NET_USD, type Stage } from '../stage.ts'
import { GOODS, PRICE, PRICE_USD } from './servers.ts'

/** The seller's route behind `@purser/paywall`: paid into its wallet on chain, or into its card. */
export async function openPaywall({ w, baseUrl, seller }: Stage, name: PaywallName) {
  const purser = createPurser({ baseUrl, apiKey: seller.key })
  const { id } = await issue(seller, 1)
  // The paywall of a process asks for the terms once.
  await purser.POST('/api/paywall', { body: { card_id: id } })
  const adapter = (name.split(' on ')[1] ?? 'web') as Adapter
  const shop = await openShop(adapter, purser, {
    options: { price: PRICE_USD, card: id },
    serve: async () => ({ status: 200, body: JSON.stringify(GOODS) }),
  })
  const read = async () => ({
    onChain: await readAssetBalance(w.chain, seller.account.address),
    byCard: (await cardOf(seller, id)).received as number,
  })
  const before = await read()
  return {
    ...shop,
    serves: GOODS,
    async expectPaid() {
      const { onChain, byCard } = await read()
      const paid = [onChain - before.onChain, byCard - before.byCard]
      expect([
        [PRICE, 0],
        [0n, NET_USD],
      ]).toContainEqual(paid)
    },
  }
}
