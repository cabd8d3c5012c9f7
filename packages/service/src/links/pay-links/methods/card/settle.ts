import { type Caller, debitRefusal } from '../../../../api/http/caller.ts'
import type { Lane } from '../../../../base/db/lanes/lane.ts'
import type { Tx } from '../../../../base/db/sql.ts'
import { readPositiveAmount } from '../../../../base/kernel/money.ts'
import { Problem, refuse } from '../../../../base/kernel/problem.ts'
import { CARD_RAILS, type CardRail } from '../../../../base/protocols/rails.ts'
import { type Assets, shownAsset } from '../../../../chain/client/rails.ts'
import { isTokenOf, wrongToken } from '../../../../money/cards/token.ts'
import { newBatch, readBatch, type SettleBatch } from '../../../../money/settlements/batch.ts'
import type { FeeRule } from '../../../../money/settlements/fees.ts'
import { writeBatch } from '../../../../money/settlements/write.ts'
import { normalCode, type PayLink } from '../../../link/store.ts'
import {
  type Links,
  newLinks,
  partiesOf,
  readLinkRows,
  type SettleOutcome,
  settleLink,
  usesStatement,
} from '../../settle.ts'
import { findCheckouts } from '../ap2/store.ts'

export type CardPayment = {
  code: string
  cardId: string
  token: string
  /** The payer's amount as it was sent, in whole units of the link's asset, for a link without one. */
  amount: string | number | null
  /** The protocol that the payer named; null for any that the link accepts. */
  protocol: CardRail | null
  /** The key that came along, if one did. */
  caller?: Caller | undefined
  chain: Assets
  /** The service's own fee, for a seller without a rule of its own. */
  fee: FeeRule
}
export type CardPaymentOutcome = SettleOutcome

/**
 * Settles links by cards of this service: payer card to receiver card less the fee, the use counted, all in this
 * transaction. Decides in order of arrival: a later payment sees the balances that an earlier one left. Records declines.
 */
export async function settleByCard(
  tx: Tx,
  at: Date,
  payments: CardPayment[],
): Promise<CardPaymentOutcome[]> {
  const codes = payments.map((payment) => payment.code)
  const rows = await readLinkRows(tx, at, codes)
  const [batchRows, mandated] = await Promise.all([
    readBatch(tx, at, {
      cardIds: [
        ...payments.map((payment) => payment.cardId),
        ...[...rows.values()].map((link) => link.cardId),
      ],
      assets: payments.flatMap(({ code, chain }) => {
        const link = rows.get(normalCode(code))
        return link ? [shownAsset(chain, link)] : []
      }),
    }),
    findMandated(tx, rows, payments),
  ])
  const books = { batch: newBatch(at, batchRows), links: newLinks(at, rows) }
  const outcomes = payments.map((payment) => decide(books, mandated, payment))
  writeBatch(tx, books.batch, { payees: [usesStatement(books.links)] })
  return outcomes
}

function decide(
  books: { batch: SettleBatch; links: Links },
  mandated: ReadonlySet<string>,
  payment: CardPayment,
): CardPaymentOutcome {
  const { token, protocol, caller, chain, fee, cardId } = payment
  const parties = partiesOf(books, payment)
  if (parties instanceof Problem) return refuse(parties)
  if (!isTokenOf(parties.payer, token)) return refuse(wrongToken(parties.payer))
  const asset = shownAsset(chain, parties.link)
  const amount = payment.amount === null ? null : readPositiveAmount(payment.amount, asset.decimals)
  if (amount instanceof Problem) return refuse(amount)
  const denied = debitRefusal(caller, { cardId, amount: parties.link.amount ?? amount, asset })
  if (denied) return refuse(denied)
  const rail = railOf(parties.link, protocol)
  if (rail === 'ap2' && mandated.has(parties.link.id)) return refuse(needsMandate())
  return settleLink(books, { ...parties, amount, rail, asset, fee })
}

/** The rail that the settlement records: the one named, else `card`, else the first that the link accepts. */
const railOf = (link: PayLink, named: CardRail | null): CardRail => {
  if (named !== null) return named
  const takes = CARD_RAILS.filter((rail) => link.acceptedProtocols.includes(rail))
  return takes[0] ?? 'card'
}

/** The links paid as `ap2` whose seller accepts AP2 only by a mandate of the link's checkout. */
async function findMandated(
  tx: Tx,
  rows: ReadonlyMap<string, PayLink>,
  payments: readonly CardPayment[],
): Promise<Set<string>> {
  const links = payments.flatMap(({ code, protocol }) => {
    const link = rows.get(normalCode(code))
    return link && railOf(link, protocol) === 'ap2' ? [link.id] : []
  })
  if (links.length === 0) return new Set()
  const checkouts = await findCheckouts(tx, links)
  return new Set(links.filter((id) => checkouts.get(id)?.isRequired))
}

const needsMandate = (): Problem =>
  new Problem(
    'mandate_required',
    'The seller takes AP2 payments of this link only by a mandate of its checkout. Use POST /api/ap2/settle.',
    { param: 'protocol' },
  )

/** The lane of card payments, `POST /api/pay/{code}/settle`. */
export const cardPaymentLane: Lane<CardPayment, CardPaymentOutcome> = {
  name: 'card payment',
  run: settleByCard,
}
