import { checkKeyAmount } from '../../../api/http/caller.ts'
import type { Uses } from '../../../api/http/services.ts'
import type { EgressResponse } from '../../../base/egress/egress.ts'
import { readBlock } from '../../../chain/client/reads.ts'
import { readTokenOrder } from '../../../links/pay-links/methods/card/issue-token.ts'
import { checkPayouts } from '../../../links/reconcile/payouts.ts'
import type { CardWithMoney } from '../../../money/cards/card.ts'
import { readAround } from '../../../money/cards/debit.ts'
import { findCategory } from '../../../money/cards/merchants/store.ts'
import { type Decision, decide, type Spend } from '../../../money/cards/policy.ts'
import { spendOfCharge } from '../../../money/cards/tokens/issue.ts'
import { askSeller } from '../seller/exchange.ts'
import { boughtBy, type PayAsk } from './ask.ts'
import type { Order } from './authorize.ts'
import { readPayable } from './demand.ts'
import { type CardOffer, type ChainOffer, payeeOf, protocolOf } from './offer.ts'
import { readIntent } from './sign.ts'

/** The result of a first request: a free answer, or an offer that could be paid at `url`. */
export type Choice =
  | { kind: 'free'; response: EgressResponse }
  | ({ kind: 'chain'; url: URL } & Pick<Order, 'priced' | 'block' | 'intent' | 'spend'>)
  | { kind: 'card'; url: URL; priced: CardOffer }

/**
 * Asks the seller and chooses what to pay. `pay` and `simulate` both decide here, so they always agree. Throws those
 * refusals of `POST /api/pay` that need no card.
 */
export async function choosePayment(
  services: Uses<'chain' | 'clock' | 'comparison' | 'db' | 'egress' | 'log' | 'settings'>,
  ask: PayAsk,
): Promise<Choice> {
  const { at, request } = ask
  const answer = await askSeller(services.egress, request)
  if (answer.status !== 402) return { kind: 'free', response: answer }
  const priced = await readPayable(
    services,
    { at, answer, request },
    { ...ask, walletAddress: ask.caller.walletAddress },
  )
  checkKeyAmount(ask.caller, priced.debit)
  const url = new URL(answer.url)
  if (priced.method === 'agentcard') return { kind: 'card', url, priced }
  const [block, intent, spend] = await Promise.all([
    readBlock(services.chain, 'latest'),
    readIntent(services.chain, ask.claim, priced),
    spendOf(services, { url, priced, ask }),
  ])
  // Before any hold: a payment that the treasury may not sign would block the card's money for minutes.
  if (!intent?.made) await checkPayouts(services)
  return { kind: 'chain', url, priced, block, intent, spend }
}

/**
 * The facts that the card's policy decides on for a payment by the chain: the host that was connected to and the
 * address that is paid. Our own host does not identify a seller, since every link shares it.
 */
async function spendOf(
  { db, settings }: Uses<'db' | 'settings'>,
  { url, priced, ask }: { url: URL; priced: ChainOffer; ask: PayAsk },
): Promise<Spend> {
  const payee = payeeOf(priced)
  const isOurs = url.host === new URL(settings.publicUrl).host
  return {
    amount: priced.debit,
    rail: protocolOf(priced),
    merchants: isOurs ? [payee] : [url.hostname, payee],
    mcc: await findCategory(db.reader, payee),
    ...boughtBy(ask),
  }
}

type Choosing = {
  at: Date
  card: CardWithMoney
  ask: PayAsk
  choice: Exclude<Choice, { kind: 'free' }>
}

/** The decision of the card's policy on the choice. Throws the refusals of a link of this service. */
export async function decideOnChoice(
  services: Uses<'chain' | 'db' | 'mppKeys' | 'settings'>,
  { at, card: read, ask, choice }: Choosing,
): Promise<Decision> {
  const { reader } = services.db
  const { card, ...around } = await readAround(reader, at, read)
  if (choice.kind === 'chain') return decide(card, choice.spend, at, around)
  const { challenge } = choice.priced.offer
  const order = await readTokenOrder(reader, at, {
    services,
    card,
    challenge,
    bought: boughtBy(ask),
  })
  return decide(card, spendOfCharge(order), at, around)
}
