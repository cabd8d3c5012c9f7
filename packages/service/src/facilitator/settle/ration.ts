import { gather } from '../../db/lanes/gather.ts'
import { perServices, type Services } from '../../http/services.ts'
import { assert } from '../../kernel/assert.ts'
import type { Address, Hex, Network } from '../../kernel/assets.ts'
import { type Refused, refused } from '../../protocols/x402/refusal.ts'
import { refusalOfRation } from '../../relay/gas/refusal.ts'
import { judge } from '../../relay/gas/reserve.ts'
import { type Flight, type FlightKey, findStanding, type Standing } from '../../relay/gas/store.ts'
import type { Carriable } from './payment.ts'

/** What a payment takes of its payer's balance and of the gas, by the `ref` of its send and for the seller. */
export function flightOf(
  { chain }: Pick<Services, 'chain'>,
  { payment, call, funds }: Carriable,
  { ref, seller }: { ref: string; seller: string },
): Flight {
  const { requirements, authorization } = payment
  const { from: payer, value: amount, validBefore, nonce } = authorization
  const { network, asset: token } = requirements
  return {
    ...{ ref, seller, network, token, payer, amount, validBefore, funds, gas: call.gas },
    nonce: nonce.toLowerCase() as Hex,
    isForeignToken: token !== chain.asset.contract,
  }
}

/** Those who ask at once share one read. */
const standings = perServices(({ db, clock }) =>
  gather(async (keys): Promise<Map<string, Standing>> => {
    const flights = keys.map(flightKeyIn)
    const standing = await db.together((on) => findStanding(on, clock.now(), flights))
    return new Map(keys.map((key) => [key, standing]))
  }),
)

const keyOf = ({ network, token, payer, nonce }: Flight): string =>
  [network, token, payer, nonce].join(' ')

function flightKeyIn(key: string): FlightKey {
  const [network, token, payer, nonce] = key.split(' ') as [Network, Address, Address, Hex]
  return { network, token, payer, nonce, seller: '' }
}

/** Why the payment would not be carried now, though its token would take it. The seller is not known here. */
export async function rationRefusal(
  services: Services,
  at: Date,
  looked: Carriable,
): Promise<Refused | undefined> {
  const flight = flightOf(services, looked, { ref: '', seller: '' })
  const standing = await standings(services)(keyOf(flight))
  assert(standing, 'everybody has a standing')
  const rationed = judge(standing, at, { flight, limits: { sellerPerDay: null } })
  if (!rationed) return undefined
  const { code, detail } = refusalOfRation(rationed)
  return refused(code, detail)
}
