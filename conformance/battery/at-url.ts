import { createPurser, type Purser } from '@purser/sdk'
import { until } from '../../packages/service/test/until.ts'
import { ERRANDS, isPay, once } from './errands.ts'
import { FAULTS } from './faults.ts'
import { CASES, type Leg, type Measured, type ModeName, modeOf } from './modes.ts'
import { sdkPayer } from './sdk-payer.ts'
import { carriesPayment, isLoopback, openWire } from './wire.ts'

/** A service that pays, and the seller that is paid. `maxAmount` is the most for a purchase, in whole units. */
export type Seller = { baseUrl: string; apiKey: string; url: string; maxAmount: string }

const CALL_MS = 30_000
const AGAIN_MS = 1_000

/** These need more of the seller or the service than their addresses. */
const ELSEWHERE: readonly ModeName[] = ['reconcile_unavailable', 'settled twice', 'killed']

/**
 * Plays the modes by the SDK at a seller, each with a card of its own, and counts the payments that the service has seen on
 * the chain. On the way to the seller there is a fault only if both are on this machine: a seller elsewhere is asked by
 * its own address.
 */
export async function playAt(seller: Seller): Promise<Measured[]> {
  const isHere = [seller.url, seller.baseUrl].every((url) => isLoopback(new URL(url)))
  const measured: Measured[] = []
  const ways = CASES.flatMap((one) => ('leg' in one && one.side === 'SDK' ? [one] : []))
  for (const { mode, leg } of ways) {
    if (ELSEWHERE.includes(mode) || leg === 'facilitator') continue
    const isFaulty = modeOf(mode).fault !== 'none'
    if (isFaulty && leg === 'seller' && !isHere) continue
    measured.push(await play(seller, { mode, leg, isThroughWire: isHere }))
  }
  return measured
}

async function play(
  { baseUrl, apiKey, url, maxAmount }: Seller,
  { mode, leg, isThroughWire }: { mode: ModeName; leg: Leg; isThroughWire: boolean },
): Promise<Measured> {
  const purser = createPurser({ baseUrl, apiKey })
  const faultOn = (here: Leg) => FAULTS[here === leg ? modeOf(mode).fault : 'none']
  const { origin, pathname, search } = new URL(url)
  const selling = await openWire(origin, { isPaid: carriesPayment, fault: faultOn('seller') })
  const serving = await openWire(baseUrl, { isPaid: isPay, fault: faultOn('service') })
  // Twice the most, and the fee: a second payment is not to fail for want of money.
  const limit = (Number(maxAmount) * 3).toFixed(6)
  const card = await purser.issueCard({ purpose: `Retry battery, ${mode}`, limit_amount: limit })
  const payer = sdkPayer({ baseUrl: serving.url, apiKey, card }, { timeoutMs: CALL_MS, maxAmount })
  const act = ERRANDS[mode] ?? once
  const asked = isThroughWire ? selling.url + pathname + search : url
  const heard = await act({ payer, url: asked, key: card.id })
  for (const wire of [serving, selling]) await wire.settled()
  const transfers = await countSettled(purser, card.id)
  await purser.cards.cancel(card.id)
  for (const wire of [serving, selling]) await wire[Symbol.asyncDispose]()
  return { mode, side: 'SDK', leg, transfers, heard }
}

/** The payments of the card that are on the chain, once none is open any more. */
async function countSettled(purser: Purser, cardId: string): Promise<number> {
  const payments = await until(
    async () => (await purser.payments.list({ card_id: cardId }).page()).payments,
    (listed) => listed.every(({ status }) => status !== 'PENDING' && status !== 'UNKNOWN'),
    { everyMs: AGAIN_MS },
  )
  return payments.filter(({ status }) => status === 'SETTLED').length
}
