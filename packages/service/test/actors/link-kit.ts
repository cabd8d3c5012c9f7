import type { PrivateKeyAccount } from 'viem/accounts'
import type { User, World } from '../world.ts'
import { ask, type Changes } from './facilitator-kit.ts'

export const encode = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64')

/** A seller with a link that is paid by x402 and MPP. */
export async function sellByLink(w: World, made: object = {}) {
  const seller = await w.user({ treasury: 10 })
  const card = (await seller.post('/api/issue', { purpose: 'shop', limit_amount: 1 })).body.card
  const terms = { card_id: card.id, amount: 0.01, accepted_protocols: ['x402', 'mpp'], ...made }
  const link = (await seller.post('/api/paylinks', terms)).body
  return { seller, card, link, url: `${w.services.settings.publicUrl}/pay/${link.code}` }
}

/** The payload by which the payer pays the link's own demand. */
export async function payloadFor(
  w: World,
  payer: PrivateKeyAccount,
  { link }: { link: { code: string; deposit_address: `0x${string}` } },
  changes: Changes = {},
) {
  const demand = (await w.call('GET', `/pay/${link.code}`)).headers['payment-required']
  const { accepts } = JSON.parse(Buffer.from(String(demand), 'base64').toString())
  const signed = await ask(payer, link.deposit_address, { requirements: accepts[0], ...changes })
  return signed.paymentPayload
}

export const presentX402 = (w: World, code: string, payload: object) =>
  w.call('GET', `/pay/${code}`, undefined, { headers: { 'payment-signature': encode(payload) } })

export const receiveX402 = (user: User, payload: object | string, url: string) =>
  user.post('/api/x402/receive', { payment_header: payload, resource_url: url })

/** The same payment with another signature. */
export const signedAs = <P extends { payload: object }>(payload: P, signature: string): P => ({
  ...payload,
  payload: { ...payload.payload, signature },
})
