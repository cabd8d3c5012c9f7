import type { CardWithMoney } from '../../cards/card.ts'
import { type Decision, decide } from '../../cards/policy.ts'
import { spendOfCharge } from '../../cards/tokens/issue.ts'
import { readBlock } from '../../chain/reads.ts'
import type { EgressResponse } from '../../egress/egress.ts'
import type { Purpose } from '../../egress/guard/places.ts'
import { checkKeyAmount } from '../../http/caller.ts'
import type { Services } from '../../http/services.ts'
import { readTokenOrder } from '../../pay-links/methods/card/issue-token.ts'
import type { PayAsk } from '../seller/ask.ts'
import { askSeller } from '../seller/exchange.ts'
import { spendOf } from '../spend.ts'
import type { Order } from './authorize.ts'
import { readPayable } from './demand.ts'
import type { CardOffer } from './offer.ts'
import { readIntent } from './sign.ts'

/** The result of a first request: a free answer, or an offer that could be paid at `url`. */
export type Choice =
  | { kind: 'free'; response: EgressResponse }
  | ({ kind: 'chain'; url: URL } & Pick<Order, 'priced' | 'block' | 'intent'>)
  | { kind: 'card'; url: URL; priced: CardOffer }

/**
 * Asks the seller and chooses what to pay. `pay` and `simulate` both decide here, so they always agree. Throws those
 * refusals of `POST /api/pay` that need no card.
 */
export async function choosePayment(services: Services, ask: PayAsk): Promise<Choice> {
  const { at, request } = ask
  const answer = await askSeller(services.egress, request)
  if (answer.status !== 402) return { kind: 'free', response: answer }
  const priced = await readPayable(services, { at, answer, request }, ask)
  checkKeyAmount(ask.caller, priced.debit)
  const url = new URL(answer.url)
  if (priced.method === 'agentcard') return { kind: 'card', url, priced }
  const [block, intent] = await Promise.all([
    readBlock(services.chain, 'latest'),
    readIntent(services.chain, ask.claim, priced),
  ])
  // Before any hold: a payment that the treasury may not sign would block the card's money for minutes.
  if (!intent?.made) await services.checkPayouts()
  return { kind: 'chain', url, priced, block, intent }
}

/** The decision of the card's policy on the choice. Throws the refusals of a link of this service. */
export async function decideOnChoice(
  services: Services,
  at: Date,
  { card, choice }: { card: CardWithMoney; choice: Exclude<Choice, { kind: 'free' }> },
): Promise<Decision> {
  if (choice.kind === 'chain') return decide(card, await spendOf(services, choice), at)
  const { challenge } = choice.priced.offer
  const order = await readTokenOrder(services.db.reader, at, { services, card, challenge })
  return decide(card, spendOfCharge(order), at)
}

/** A card without money cannot pay, so its request counts as an inquiry. */
export const purposeOf = (card: CardWithMoney): Purpose =>
  card.available > 0n || card.held > 0n ? 'pay' : 'discover'
