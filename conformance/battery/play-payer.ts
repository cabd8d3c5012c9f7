import type { FacilitatorClient } from '@x402/core/server'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { issue } from '../../packages/service/test/actors/attack-kit.ts'
import type { User } from '../../packages/service/test/world.ts'
import { purserFacilitator } from '../parties/facilitators.ts'
import { openShop } from '../parties/servers.ts'
import { transfersTo } from '../parties/transfers.ts'
import type { Place } from '../stage.ts'
import { ERRANDS, isPay, once } from './errands.ts'
import { FAULTS } from './faults.ts'
import { type Leg, type Measured, type ModeName, modeOf, type PayerName } from './modes.ts'
import { openPayer } from './payers.ts'
import { type Asked, carriesPayment, type Fault, openWire } from './wire.ts'

export type Ground = Place & { agent: User }

/** Buys once from a seller outside while this mode goes on, and counts what has arrived there. */
export async function playPayer(
  ground: Ground,
  of: { mode: ModeName; side: PayerName; leg: Leg },
): Promise<Measured> {
  await using market = await openMarket(ground, {
    leg: of.leg,
    fault: FAULTS[modeOf(of.mode).fault],
  })
  const { agent } = ground
  const card = await issue(agent, 1)
  // A call without a name cannot be asked again, so it hears the end by itself.
  const patience = of.mode === 'no key' ? { patienceMs: PATIENCE_MS } : {}
  const purse = { baseUrl: market.baseUrl, apiKey: agent.key, card, ...patience }
  const payer = await openPayer[of.side](purse)
  const act = ERRANDS[of.mode] ?? once
  const heard = await act({ payer, url: market.url, key: card.id })
  const transfers = await market.transfers()
  await payer.close()
  return { ...of, transfers, heard }
}

const PATIENCE_MS = 60_000

const isSettle = ({ path }: Asked): boolean => path.endsWith('/settle')

/** A seller outside whose facilitator is ours, unless another is given. One of the three connections of a purchase has the fault. */
export async function openMarket(
  { baseUrl, rpcUrl, seller }: Place,
  { leg, fault, settledBy }: { leg: Leg; fault: Fault; settledBy?: FacilitatorClient },
) {
  const faultOn = (here: Leg) => (here === leg ? fault : FAULTS.none)
  const payTo = privateKeyToAccount(generatePrivateKey()).address
  const settling = await openWire(baseUrl, { isPaid: isSettle, fault: faultOn('facilitator') })
  const facilitator = settledBy ?? purserFacilitator(settling.url, seller)
  const shop = await openShop('@x402/express', { facilitator, payTo })
  const { origin, pathname } = new URL(shop.url)
  const selling = await openWire(origin, { isPaid: carriesPayment, fault: faultOn('seller') })
  const serving = await openWire(baseUrl, { isPaid: isPay, fault: faultOn('service') })
  return {
    baseUrl: serving.url,
    url: selling.url + pathname,
    payTo,
    /** Counts what has arrived, once everything that is under way has ended. */
    async transfers(): Promise<number> {
      for (const wire of [serving, selling, settling]) await wire.settled()
      return (await transfersTo(rpcUrl, payTo)).length
    },
    async [Symbol.asyncDispose]() {
      for (const each of [serving, selling, shop, settling]) await each[Symbol.asyncDispose]()
    },
  }
}
