import {
  type Card,
  closeMandate,
  createAgentKey,
  openMandate,
  type Purser,
  verifyReceipt,
} from '@purser/sdk'
import { Fault } from '../fault.ts'

export const SHOP_LIMIT = '1'
const PRICE = '0.4'
/** In cents. */
const AGENT_MAY_PAY = 50

export type MandatePayment = {
  code: string
  settlement_id: string
  mandate_id: string
  amount: number
  fee: number
  shop_card_id: string
}

/**
 * A user lets an agent pay a shop's link with the card, and the agent pays: AP2, with keys that the service never sees.
 */
export async function payByAgent(
  { purser, tell }: { purser: Purser; tell: (line: string) => void },
  card: Card,
): Promise<MandatePayment> {
  const shop = await purser.issueCard({ purpose: 'Purser demo shop', limit_amount: SHOP_LIMIT })
  const { code, url, created_at } = await purser.createPayLink({
    card_id: shop.id,
    amount: PRICE,
    memo: 'Purser demo, by AP2',
  })
  // The service's own time: its development clock may have been moved.
  const at = new Date(created_at)
  tell(`Opened pay link ${url} for ${PRICE} USDC on a shop's card.`)
  const { ap2 } = await purser.GET('/api/pay/{code}/prepare', { params: { path: { code } } })
  if (!ap2) throw new Fault('The link takes no AP2 mandates.')

  const [user, agent] = [await createAgentKey(), await createAgentKey()]
  await purser.POST('/api/ap2/keys', {
    body: { card_id: card.id, card_token: card.token, jwk: user.publicJwk, role: 'user' },
  })
  const open = await openMandate({
    key: user,
    cardId: card.id,
    agentKey: agent.publicJwk,
    currency: 'USD',
    maxAmount: AGENT_MAY_PAY,
    payees: [ap2.payee],
    at,
  })
  tell(`The user's key signed an AP2 open mandate: an agent may pay this link, 0.50 USD at most.`)
  const mandate = await closeMandate({
    link: ap2,
    cardId: card.id,
    key: agent,
    openMandate: open.mandate,
    at,
  })
  const settled = await purser.settleMandate(card, code, mandate)
  tell(
    `The agent's key signed the payment, and the card paid: ${settled.amount} USDC, of it ${settled.fee} fee to the shop. ${settled.settlement_id}.`,
  )
  const { settlement_id, mandate_id, amount, fee } = settled
  const { receipt } = await purser.GET('/api/ap2/receipts/{settlement_id}', {
    params: { path: { settlement_id } },
  })
  const jwks = await purser.GET('/api/ap2/.well-known/jwks.json')
  const { status } = await verifyReceipt(receipt, jwks, mandate)
  tell(`Its receipt verifies by the service's published keys: ${status}.`)
  return { code, settlement_id, mandate_id, amount, fee, shop_card_id: shop.id }
}
