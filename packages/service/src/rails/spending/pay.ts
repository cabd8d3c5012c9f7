import type { Uses } from '../../api/http/services.ts'
import type { Reader } from '../../base/db/sql.ts'
import type { Purpose } from '../../base/egress/guard/places.ts'
import type { CardWithMoney } from '../../money/cards/card.ts'
import { findToken } from '../../money/cards/tokens/store.ts'
import { digestOf, type MadePayment, type PayAsk, type PayResult } from './offer/ask.ts'
import { findPayingCard } from './offer/authorize.ts'
import { choosePayment } from './offer/choose.ts'
import { payByCard, resumeByCard } from './pay-by-card.ts'
import { payOnChain, resumeOnChain } from './pay-on-chain.ts'
import {
  findCardPayment,
  findCardPaymentByKey,
  findPayment,
  findPaymentByKey,
  findUnansweredCardRepeat,
  findUnansweredRepeat,
} from './store.ts'

/**
 * Fetches the URL and, if it asks for money, pays once with the card: hold, then signature, then one request with it.
 * The chain decides how the payment ended; for our own cards, our books decide. Throws the refusals of `POST /api/pay`.
 * Whatever happens after the hold, a job ends it.
 */
export async function pay(
  services: Uses<
    'chain' | 'clock' | 'comparison' | 'db' | 'egress' | 'log' | 'mppKeys' | 'relay' | 'settings'
  >,
  asked: PayAsk,
): Promise<PayResult> {
  const { db, egress } = services
  const card = await findPayingCard(db.reader, asked)
  using place = egress.enter(card.walletAddress, purposeOf(card))
  const ask = { ...asked, request: { ...asked.request, place } }
  const earlier = await resumeEarlier(services, ask)
  if (earlier) return earlier
  const choice = await choosePayment(services, ask)
  // Awaited here, because the place is given back when this function ends.
  if (choice.kind === 'card') return await payByCard(services, ask, choice)
  if (choice.kind === 'chain') return await payOnChain(services, ask, choice)
  return choice
}

/**
 * The payment that this request made earlier: by its key or, without one, the same request that the seller owes an answer. A
 * client that retries because it got no answer, or no goods, must not pay twice.
 */
async function resumeEarlier(
  services: Uses<'chain' | 'clock' | 'db' | 'egress' | 'log'>,
  ask: PayAsk,
): Promise<PayResult | undefined> {
  const { reader } = services.db
  const { at, cardId, claim } = ask
  const repeat = { cardId, requestDigest: digestOf(ask), at }
  const onChain = claim
    ? await findPaymentByKey(reader, claim.walletAddress, claim.key)
    : await findUnansweredRepeat(reader, repeat)
  if (onChain) return resumeOnChain(services, ask, onChain)
  const byCard = claim
    ? await findCardPaymentByKey(reader, claim.walletAddress, claim.key)
    : await findUnansweredCardRepeat(reader, repeat)
  return byCard && resumeByCard(services, ask, byCard)
}

/** A payment of either kind as it stands now. */
export async function findMade(on: Reader, id: string): Promise<MadePayment | undefined> {
  const payment = await findPayment(on, id)
  if (payment) return { kind: 'paid', payment }
  const byCard = await findCardPayment(on, id)
  const token = byCard && (await findToken(on, byCard.challengeId))
  return token && { kind: 'paid_by_card', payment: byCard, token }
}

/** A card without money cannot pay, so its request counts as an inquiry. */
const purposeOf = (card: CardWithMoney): Purpose =>
  card.available > 0n || card.held > 0n ? 'pay' : 'discover'
