import { purser } from '../../../service/client.ts'

/** Enough for an agent that pays and asks its owner, and does nothing else. */
const SCOPES = ['cards:read', 'payments:read', 'payments:write', 'approvals:read'] as const

/** Makes a key that may use this card alone. Repeated with the same Idempotency-Key, it is the same key. */
export async function keyFor(
  card: { id: string; purpose: string },
  idempotencyKey: string,
  hours?: number,
): Promise<string> {
  const order = {
    name: card.purpose.slice(0, 100),
    scopes: [...SCOPES],
    card_ids: [card.id],
    ...(hours !== undefined && { expires_in: hours }),
  }
  const made = await purser.keys.restrict(order, { idempotencyKey: `${idempotencyKey}-key` })
  return made.api_key
}

const SELLER = 'Demo seller'
export const DEMO_PRICE = '0.01'

/** The address of a seller that anybody here may try: a pay link of the wallet itself, made at the first try. */
export async function demoSeller(idempotencyKey: string): Promise<string> {
  const found = await purser.cards.list({ status: 'ACTIVE', search: SELLER }).page()
  const card =
    found.cards.find(({ purpose }) => purpose === SELLER) ??
    (
      await purser.cards.issue(
        { purpose: SELLER, limit_amount: DEMO_PRICE },
        { idempotencyKey: `${idempotencyKey}-seller` },
      )
    ).card
  const open = await purser.payLinks.list({ status: 'ACTIVE', card_id: card.id, limit: 1 }).page()
  const link =
    open.links[0] ??
    (await purser.payLinks.create(
      { card_id: card.id, amount: DEMO_PRICE, memo: SELLER, type: 'RECURRING', max_uses: 0 },
      { idempotencyKey: `${idempotencyKey}-link` },
    ))
  return link.url
}
