import {
  type ClosedMandate,
  closeMandate,
  createAgentKey,
  type LinkTerms,
  type MandateKey,
  type OpenMandate,
  type OpenOrder,
  openMandate,
} from '../../../../sdk/src/purser.ts'
import type { Reply, User, World } from '../../world.ts'

export type Card = { id: string; token: string }
export type Link = { code: string; ap2: LinkTerms }
export type Signed = Pick<ClosedMandate, 'closedMandate' | 'openMandate'>

/** A payer and a seller that use AP2 over HTTP, with mandates made by the SDK; and a stranger. */
export async function openParties(w: World) {
  const [payer, seller, stranger] = [
    await w.user({ treasury: 5000 }),
    await w.user({ treasury: 10 }),
    await w.user({ treasury: 10 }),
  ]
  const till = (await seller.post('/api/issue', { purpose: 'till', limit_amount: 1 })).body.card.id
  const issue = async (user = payer, more: object = {}): Promise<Card> =>
    (await user.post('/api/issue', { purpose: 'agent', limit_amount: 100, ...more })).body.card
  const register = (card: Card, key: MandateKey, role: string): Promise<Reply> =>
    payer.post('/api/ap2/keys', { ...named(card), jwk: key.publicJwk, role })

  return {
    payer,
    seller,
    stranger,
    till,
    issue,
    register,
    /** A link of the seller that takes AP2, with its terms. */
    async openLink(amount: number | string | null = 25, more: object = {}): Promise<Link> {
      const made = await seller.post('/api/paylinks', { card_id: till, amount, ...more })
      const { code } = made.body
      return { code, ap2: (await payer.get(`/api/pay/${code}/prepare`)).body.ap2 }
    },
    /** A new user key on the card. */
    async userKeyOf(card: Card): Promise<MandateKey> {
      const key = await createAgentKey()
      const { status } = await register(card, key, 'user')
      if (status !== 200) throw new Error(`a user key was refused: ${status}`)
      return key
    },
    settle: (code: string, card: Card, made: Signed, user: User = payer): Promise<Reply> =>
      user.post('/api/ap2/settle', {
        pay_link_code: code,
        closed_mandate: made.closedMandate,
        ...(made.openMandate !== undefined && { open_mandate: made.openMandate }),
        card_token: card.token,
      }),
    /** The user signs the payment of the link. */
    pay: (link: Link, card: Card, key: MandateKey): Promise<ClosedMandate> =>
      closeMandate({ link: link.ap2, cardId: card.id, key, at: w.now() }),
    /** The agent signs the payment of the link, within an open mandate. */
    payUnder: (open: string, of: { link: Link; card: Card; agent: MandateKey }) =>
      closeMandate({
        link: of.link.ap2,
        cardId: of.card.id,
        key: of.agent,
        openMandate: open,
        at: w.now(),
      }),
    /** The user lets the agent pay the link, up to 25.00. */
    allow: (of: {
      link: Link
      card: Card
      user: MandateKey
      agent: MandateKey
      terms?: Partial<OpenOrder>
    }): Promise<OpenMandate> =>
      openMandate({
        key: of.user,
        cardId: of.card.id,
        agentKey: of.agent.publicJwk,
        currency: 'USD',
        maxAmount: 2500,
        payees: [of.link.ap2.payee],
        at: w.now(),
        ...of.terms,
      }),
  }
}
export type Parties = Awaited<ReturnType<typeof openParties>>

/** The fields by which a request names a card and proves that it may sign for it. */
export const named = ({ id, token }: Card) => ({ card_id: id, card_token: token })
