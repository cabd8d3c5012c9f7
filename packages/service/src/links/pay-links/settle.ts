import { mayDecideUnlocked, type RawBuilder, type Tx } from '../../base/db/sql.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import type { Id } from '../../base/kernel/ids.ts'
import type { Amount } from '../../base/kernel/money.ts'
import { notFound, Problem, type Refusal, refuse } from '../../base/kernel/problem.ts'
import type { CardRail } from '../../base/protocols/rails.ts'
import type { CardWithMoney } from '../../money/cards/card.ts'
import type { SettleBatch } from '../../money/settlements/batch.ts'
import type { FeeRule } from '../../money/settlements/fees.ts'
import type { Payee } from '../../money/settlements/payee.ts'
import { settle } from '../../money/settlements/settle.ts'
import type { LinkSettlement, PaidMandate } from '../../money/settlements/settlement.ts'
import {
  closedProblem,
  completion,
  directProblem,
  leastProblem,
  payeeOf,
  withUse,
} from '../link/link.ts'
import {
  countUsesStatement,
  lockLinks,
  normalCode,
  type PricedLink,
  readLinks,
} from '../link/store.ts'

/** The links of a batch, as they were read (`seen`) and as the settlements so far leave them (`now`). */
export type Links = {
  readonly at: Date
  readonly seen: ReadonlyMap<string, PricedLink>
  readonly now: Map<string, PricedLink>
  readonly uses: Map<string, number>
}
export const newLinks = (at: Date, rows: ReadonlyMap<string, PricedLink>): Links => ({
  at,
  seen: rows,
  now: new Map(rows),
  uses: new Map(),
})

/** The links of these codes. Locks them, in id order and before any card, if the first attempt failed. */
export const readLinkRows = (
  tx: Tx,
  at: Date,
  codes: readonly string[],
): Promise<Map<string, PricedLink>> =>
  mayDecideUnlocked(tx) ? readLinks(tx, at, codes) : lockLinks(tx, at, codes)

/** The link and the payer's card as the settlements so far leave them, or `not_found`. */
export function partiesOf(
  { batch, links }: { batch: SettleBatch; links: Links },
  of: { code: string; cardId: string },
): { link: PricedLink; payer: CardWithMoney } | Problem {
  const link = links.now.get(normalCode(of.code))
  if (!link) return notFound('pay link')
  const payer = batch.cards.get(of.cardId)
  return payer ? { link, payer } : notFound('card')
}

/** `amount` is the payer's choice, for a link without an amount. `mandate` backs a payment by AP2. */
export type Ask = {
  link: PricedLink
  payer: CardWithMoney
  amount: Amount | null
  rail: CardRail
  asset: Asset
  /** The service's own fee, for a seller without a rule of its own. */
  fee: FeeRule
  mandate?: PaidMandate
  /** The agreement that it is a charge of. */
  agreementId?: Id<'agr'>
  /** The agreement was charged before. */
  isCharged?: true
}
export type Settled = { settlement: LinkSettlement; link: PricedLink; transactionId: Id<'txn'> }
export type SettleOutcome = { kind: 'settled'; settled: Settled } | Refusal

/** Decides one payment of a link by a card, on rows already read. The link must be open; then the card's policy decides. */
export function settleLink(
  { batch, links }: { batch: SettleBatch; links: Links },
  ask: Ask,
): SettleOutcome {
  const { link, payer, rail, asset, fee, mandate, agreementId, isCharged } = ask
  const problem = refusal(ask, links.at)
  if (problem) return refuse(problem)
  const outcome = settle(batch, {
    payer,
    payee: linkPayee(links, ask),
    rail,
    asset,
    fee,
    amount: link.amount ?? (ask.amount as Amount),
    ...(mandate !== undefined && { mandate }),
    ...(agreementId !== undefined && { agreementId }),
    ...(isCharged && { isCharged }),
  })
  if (outcome.kind === 'refused') return outcome
  const { settlement, transactionId } = outcome.settled
  const after = links.now.get(link.code) as PricedLink
  return {
    kind: 'settled',
    settled: {
      settlement: { ...settlement, payLinkId: link.id, protocol: rail },
      link: after,
      transactionId,
    },
  }
}

/** A link as the engine pays it: the money goes to its card, and the use is counted. */
const linkPayee = (links: Links, { link, asset }: Ask): Payee => ({
  names: {
    payLinkId: link.id,
    receiverCardId: link.cardId,
    receiverWallet: link.walletAddress,
    houseAccount: null,
  },
  network: link.network,
  asset: link.asset,
  account: null,
  ...payeeOf(link),
  feeRule: link.feeRule,
  label: { code: link.code, merchant: link.code, memo: link.memo },
  settled() {
    const used = withUse(link, links.at)
    links.now.set(link.code, used)
    links.uses.set(link.code, (links.uses.get(link.code) ?? 0) + 1)
    return completion(used, { asset, log: null })
  },
})

/** The statement that writes the uses that a batch counted. It locks the links, so it is sent before any card is locked. */
export const usesStatement = ({ at, seen, uses }: Links): RawBuilder<unknown> | undefined =>
  countUsesStatement(
    at,
    [...uses].map(([code, count]) => ({ seen: seen.get(code) as PricedLink, uses: count })),
  )

/** Why the link does not accept this payment, whatever the card's policy says. */
function refusal({ link, payer, amount, rail, asset }: Ask, at: Date): Problem | undefined {
  if (link.token !== null) return directProblem(link)
  if (!link.acceptedProtocols.includes(rail))
    return new Problem(
      'protocol_not_accepted',
      `This link takes ${link.acceptedProtocols.join(', ')}, not ${rail}.`,
    )
  const closed = closedProblem(link, at)
  if (closed) return closed
  if (payer.id === link.cardId)
    return new Problem('invalid_payment', 'A card cannot pay its own link.')
  if (link.amount === null && amount === null)
    return new Problem('missing_field', 'amount is required: on this link the payer chooses it.', {
      param: 'amount',
    })
  if (link.amount !== null && amount !== null && amount !== link.amount)
    return new Problem(
      'invalid_amount',
      'amount differs from the amount of the link; leave it out.',
      { param: 'amount' },
    )
  return amount === null ? undefined : leastProblem(link, amount, asset)
}
