import { perServices, type Uses } from '../../../api/http/services.ts'
import { gather } from '../../../base/db/lanes/gather.ts'
import { assert } from '../../../base/kernel/assert.ts'
import type { Address, Hex, Network } from '../../../base/kernel/assets.ts'
import type { FacilitatedPayment } from '../../../base/protocols/x402/facilitator.ts'
import { type Refused, refused } from '../../../base/protocols/x402/refusal.ts'
import { assetAt } from '../../../chain/client/rails.ts'
import { refusalOfRation } from '../../../chain/relay/gas/relayer-gas.ts'
import { judge } from '../../../chain/relay/gas/reserve.ts'
import {
  type Flight,
  type FlightKey,
  findStanding,
  type Standing,
} from '../../../chain/relay/gas/store.ts'
import type { Carriable } from './payment.ts'

/** The payer's balance and the gas that a payment takes, by the `ref` of its send and for the seller. */
export function flightOf(
  { chain }: Uses<'chain'>,
  { payment, call, funds }: Carriable,
  { ref, seller }: { ref: string; seller: string },
): Flight {
  const { requirements, authorization, amount } = payment
  const { from: payer, validBefore, nonce } = authorization
  const { network, asset: token } = requirements
  return {
    ref,
    seller,
    network,
    token,
    payer,
    amount,
    validBefore,
    funds,
    gas: call.gas,
    nonce: nonce.toLowerCase() as Hex,
    isForeignToken: assetAt(chain, token) === undefined,
  }
}

/** Callers that ask at once share one read. Each gets only its own rows, because `judge` reads all that it is given. */
const standings = perServices(({ db, clock }: Uses<'clock' | 'db'>) =>
  gather(async (keys): Promise<Map<string, Standing>> => {
    const flights = keys.map(flightKeyIn)
    const found = await db.together((on) => findStanding(on, clock.now(), flights))
    const payers = Map.groupBy(found.payers, payerOf)
    const open = Map.groupBy(found.open, keyOf)
    return new Map(
      flights.map((flight) => {
        const key = keyOf(flight)
        const own = { payers: payers.get(payerOf(flight)) ?? [], open: open.get(key) ?? [] }
        return [key, { ...found, ...own }]
      }),
    )
  }),
)

const payerOf = ({ network, token, payer }: Pick<FlightKey, 'network' | 'token' | 'payer'>) =>
  [network, token, payer].join(' ')
const keyOf = (flight: Omit<FlightKey, 'seller'>): string => `${payerOf(flight)} ${flight.nonce}`

function flightKeyIn(key: string): FlightKey {
  const [network, token, payer, nonce] = key.split(' ') as [Network, Address, Address, Hex]
  return { network, token, payer, nonce, seller: '' }
}

/** Finds what the rations know of the payment's payer and token. The seller is not known here. */
export async function findStandingOf(
  services: Uses<'clock' | 'db'>,
  { requirements, authorization: { from, nonce } }: FacilitatedPayment,
): Promise<Standing> {
  const { network, asset: token } = requirements
  const key = keyOf({ network, token, payer: from, nonce: nonce.toLowerCase() as Hex })
  const standing = await standings(services)(key)
  assert(standing, 'everybody has a standing')
  return standing
}

/** The refusal of a payment that its token would accept, but that the rations hold back now. */
export function rationRefusal(
  services: Uses<'chain'>,
  at: Date,
  { looked, standing }: { looked: Carriable; standing: Standing },
): Refused | undefined {
  const flight = flightOf(services, looked, { ref: '', seller: '' })
  const rationed = judge(standing, at, { flight, limits: { sellerPerDay: null } })
  if (!rationed) return undefined
  const { code, detail } = refusalOfRation(rationed)
  return refused(code, detail)
}
