import { createPurser } from '@purser/sdk'
import type { PrivateKeyAccount } from 'viem/accounts'
import { payByX402 } from '../../packages/paywall/test/payers.ts'
import { openShop } from '../../packages/paywall/test/stage.ts'
import { issue } from '../../packages/service/test/actors/attack-kit.ts'
import { PRICE_USD } from '../parties/servers.ts'
import { type Outcome, openTill, type Till } from '../parties/tills.ts'
import type { Place } from '../stage.ts'
import { FAULTS } from './faults.ts'
import { type ModeName, modeOf, type TakerName } from './modes.ts'
import { type Asked, carriesPayment, openWire, type Wire } from './wire.ts'

/** A part of ours that takes payments, behind a wire, and a payer that shows it what it has signed. */
export type Taker = {
  sign(account: PrivateKeyAccount): Promise<Showing>
  wire: Wire
  close(): Promise<void>
}
/** A signed payment. It is shown under a name where the part takes names, and at another purchase for `elsewhere`. */
export type Showing = {
  show(name?: string): Promise<Outcome>
  elsewhere(name: string): Promise<Outcome>
}

export function openTaker(name: TakerName, mode: ModeName, place: Place): Promise<Taker> {
  const fault = FAULTS[modeOf(mode).fault]
  if (name === 'paywall') return openPaywallTaker(mode, place)
  return openTillTaker(name, { place, fault })
}

/** A claim on a payment ends after this time if the service dies before the payment is settled. By default it is 120 s. */
const HANDLER_SECONDS = 20

const isSettle = ({ method, path }: Asked): boolean =>
  method === 'POST' && /^\/api\/(x402|paywall\/payments\/[^/]+)\/settle$/.test(path)

async function openTillTaker(
  name: Exclude<TakerName, 'paywall'>,
  { place, fault }: { place: Place; fault: (typeof FAULTS)[keyof typeof FAULTS] },
): Promise<Taker> {
  const isFacilitator = name.startsWith('facilitator')
  const isPaid = isFacilitator ? isSettle : carriesPayment
  const wire = await openWire(place.baseUrl, { isPaid, fault })
  const till = await openTill[name]({ ...place, baseUrl: wire.url })
  return {
    async sign(account) {
      const signed = await till.sign(account)
      return {
        show: (as) => till.present(signed, as),
        elsewhere: isFacilitator
          ? async (as) => till.present(await till.sign(account), as)
          : () => showAtOtherLink(name, place, signed),
      }
    },
    wire,
    close: () => wire[Symbol.asyncDispose](),
  }
}

/** A payment for one link is shown to another. */
async function showAtOtherLink(
  name: Exclude<TakerName, 'paywall'>,
  place: Place,
  signed: Parameters<Till['present']>[0],
): Promise<Outcome> {
  const other: Till = await openTill[name](place)
  return other.present(signed)
}

async function openPaywallTaker(mode: ModeName, { baseUrl, seller }: Place): Promise<Taker> {
  const { fault } = modeOf(mode)
  const isBehind = mode === 'settled twice'
  const behind = await openWire(baseUrl, {
    isPaid: isSettle,
    fault: FAULTS[isBehind ? fault : 'none'],
  })
  const purser = createPurser({ baseUrl: behind.url, apiKey: seller.key })
  const { id } = await issue(seller, 1)
  const options = { price: PRICE_USD, card: id, handlerSeconds: HANDLER_SECONDS }
  const shop = await openShop('web', purser, { options })
  const { origin, pathname } = new URL(shop.url)
  const wire = await openWire(origin, {
    isPaid: carriesPayment,
    fault: FAULTS[isBehind ? 'none' : fault],
  })
  const url = wire.url + pathname
  return {
    async sign(account) {
      const headers = await signFor(account, url)
      const showAt = async (at: string): Promise<Outcome> => {
        const answer = await fetch(at, { headers })
        const said = (await answer.json()) as { code?: string }
        if (answer.status === 200) return { outcome: 'settled' }
        const isOpen = answer.status === 503 || said.code === 'payment_in_progress'
        return { outcome: isOpen ? 'pending' : 'refused', reason: said.code ?? '' }
      }
      return { show: () => showAt(url), elsewhere: () => showAt(`${url}?other`) }
    },
    wire,
    async close() {
      for (const each of [wire, shop, behind]) await each[Symbol.asyncDispose]()
    },
  }
}

/** The headers that the official client would send. */
async function signFor(account: PrivateKeyAccount, url: string): Promise<Headers> {
  let headers = new Headers()
  const over = async (input: Request | string | URL, init?: RequestInit) => {
    const request = new Request(input, init)
    if (!request.headers.has('payment-signature')) return fetch(request)
    headers = request.headers
    return new Response(null, { status: 418 })
  }
  await payByX402(account, over)(url)
  return headers
}
