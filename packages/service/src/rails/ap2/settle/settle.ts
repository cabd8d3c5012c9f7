import { mayDecideUnlocked, type Tx } from '../../../base/db/sql.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import { Problem, type Refusal } from '../../../base/kernel/problem.ts'
import { joinChain } from '../../../base/protocols/ap2/issue/issue.ts'
import { refusalOf } from '../../../base/protocols/ap2/judge/checks.ts'
import { evaluateTimes } from '../../../base/protocols/ap2/judge/evaluate.ts'
import {
  type Usage,
  usageRefusal,
  usageRulesOf,
} from '../../../base/protocols/ap2/judge/recurrence.ts'
import type { Presentation } from '../../../base/protocols/ap2/read/presentation.ts'
import { Ap2Refusal } from '../../../base/protocols/ap2/refusal.ts'
import type { PayLink, PricedLink } from '../../../links/link/store.ts'
import type { LinkTerms } from '../../../links/pay-links/methods/ap2/store.ts'
import {
  type Links,
  newLinks,
  partiesOf,
  readLinkRows,
  settleLink,
  usesStatement,
} from '../../../links/pay-links/settle.ts'
import type { Card } from '../../../money/cards/card.ts'
import { isTokenOf, wrongToken } from '../../../money/cards/token.ts'
import {
  type BatchRows,
  newBatch,
  readBatch,
  type SettleBatch,
} from '../../../money/settlements/batch.ts'
import type { FeeRule } from '../../../money/settlements/fees.ts'
import type { PaidMandate } from '../../../money/settlements/settlement.ts'
import { writeBatch } from '../../../money/settlements/write.ts'
import type { RootOf } from '../keys/trust.ts'
import { newOpenMandate } from '../mandates/open/open-mandate.ts'
import {
  findOpenMandates,
  insertOpenMandateCardsStatement,
  insertOpenMandatesStatement,
  lockOpenMandates,
  lockUnchangedOpensStatement,
  type Noted,
  type OpenMandate,
} from '../mandates/open/store.ts'
import { type MandateFacts, type MandateKey, readAccepted } from '../mandates/store.ts'

/** A mandate with valid signatures, whoever it pays. */
export type JudgedMandate = {
  presentation: Presentation
  rootOf: RootOf
  /** Why it may not pay this payee, apart from earlier payments. */
  refusal: Ap2Refusal | undefined
  cardId: string
  closedToken: string
  openToken: string | null
  /** An agreement keeps the open mandate, sealed: its token is stored nowhere else. */
  isSealed?: true
}

/** A mandate for a link that accepts AP2, with the card's token. */
export type MandateIntent = JudgedMandate & {
  link: LinkTerms
  /** The version of the card's keys by which the mandate was judged. */
  keysVersion: number
  token: string
  /** The mandate's amount in base units. */
  amount: Amount
  asset: Asset
  /** The service's own fee, for a seller without a rule of its own. */
  fee: FeeRule
}

export type MandateOutcome =
  | { kind: 'settled' | 'already'; facts: MandateFacts }
  | { kind: 'refused'; refusal: Ap2Refusal }
  | { kind: 'rejected'; problem: Problem }
  /** The card's keys or the link's receiver are not those that it was judged by: it is to be judged again. */
  | { kind: 'stale' }

/** The rows that mandates are decided on. */
export type MandateRows = {
  links: ReadonlyMap<string, PricedLink>
  batch: BatchRows
  mandates: readonly MandateFacts[]
  /** Mandates that paid in a month that was put away. */
  gone: readonly MandateKey[]
  opens: readonly OpenMandate[]
}

/** A batch of mandates, as each mandate leaves its rows for the next. */
export type Books = {
  batch: SettleBatch
  links: Links
  mandates: Map<string, MandateFacts>
  gone: ReadonlySet<string>
  opens: Map<string, OpenMandate>
  accepted: MandateFacts[]
  /** Open mandates that this batch is the first to use, and those that it uses once more, as they were read. */
  newOpens: Map<string, OpenMandate>
  usedOpens: Map<string, OpenMandate>
  noted: Noted[]
}

/**
 * Settles links by AP2 mandates: each id of a card pays once, and an open mandate pays what it allows. Decides in order
 * of arrival. An open mandate is one grant, whichever cards pay under it: its row must stand as it was read, or all is
 * decided again on locked rows. What is refused leaves nothing under its id, so it may be tried again.
 */
export async function settleMandates(
  tx: Tx,
  at: Date,
  intents: MandateIntent[],
): Promise<MandateOutcome[]> {
  const books = newBooks(at, await readRows(tx, at, intents))
  const outcomes = intents.map((intent) => decide(books, intent))
  writeBooks(tx, books)
  return outcomes
}

/** Reads every row that the intents are decided on. All statements are sent at once; locks are taken in their order. */
export async function readRows(
  tx: Tx,
  at: Date,
  intents: readonly MandateIntent[],
): Promise<MandateRows> {
  const codes = intents.map(({ link }) => link.code)
  const cardIds = intents.flatMap(({ cardId, link }) => [cardId, link.cardId])
  const openIds = intents.flatMap(({ presentation: { openId } }) => openId ?? [])
  const readOpens = mayDecideUnlocked(tx) ? findOpenMandates : lockOpenMandates
  // Mandates are read after the cards: a payment that a card made since it was read is seen here, or refused when written.
  const [links, batch, accepted, opens] = await Promise.all([
    readLinkRows(tx, at, codes),
    readBatch(tx, at, { cardIds, assets: intents.map(({ asset }) => asset) }),
    readAccepted(
      tx,
      intents.map(({ cardId, presentation: { mandateId } }) => ({ cardId, mandateId })),
    ),
    openIds.length > 0 ? readOpens(tx, openIds) : [],
  ])
  return { links, batch, ...accepted, opens }
}

/** The books of a batch that has decided nothing yet. */
export const newBooks = (
  at: Date,
  { links, batch, mandates, gone, opens }: MandateRows,
): Books => ({
  batch: newBatch(at, batch),
  links: newLinks(at, links),
  mandates: new Map(mandates.map((one) => [keyOf(one.cardId, one.mandateId), one])),
  gone: new Set(gone.map(({ cardId, mandateId }) => keyOf(cardId, mandateId))),
  opens: new Map(opens.map((one) => [one.openId, one])),
  accepted: [],
  newOpens: new Map(),
  usedOpens: new Map(),
  noted: [],
})

/** Sends what the books decided. Waits for no answer. */
export const writeBooks = (tx: Tx, books: Books): void =>
  writeBatch(tx, books.batch, {
    payees: [usesStatement(books.links)],
    afterCards: [
      insertOpenMandatesStatement([...books.newOpens.values()]),
      lockUnchangedOpensStatement([...books.usedOpens.values()]),
      insertOpenMandateCardsStatement(books.noted),
    ],
  })

// No card id has a space in it.
export const keyOf = (cardId: string, id: string): string => `${cardId} ${id}`

/** Decides one mandate on the rows at hand, without a read or a write. */
export function decide(books: Books, intent: MandateIntent): MandateOutcome {
  const { cardId, link: terms, amount, asset, fee } = intent
  const parties = partiesOf(books, { code: terms.code, cardId })
  if (parties instanceof Problem) return { kind: 'rejected', problem: parties }
  if (!isStill(intent, parties)) return { kind: 'stale' }
  if (!isTokenOf(parties.payer, intent.token))
    return { kind: 'rejected', problem: wrongToken(parties.payer) }
  return payByMandate(books, intent, {
    payLinkId: terms.id,
    pay: (mandate) => settleLink(books, { ...parties, amount, rail: 'ap2', asset, fee, mandate }),
  })
}

/** The payee of a mandate. `pay` makes the payment on rows already read, if the mandate allows it. */
type Paying = {
  payLinkId: string | null
  pay(mandate: PaidMandate): { kind: 'settled'; settled: { settlement: Settled } } | Refusal
}
type Settled = { id: string; fee: Amount }

/** Decides one judged mandate, whoever it pays, without a read or a write: earlier payments, times, and the open mandate. */
export function payByMandate(
  books: Books,
  judged: JudgedMandate,
  { payLinkId, pay }: Paying,
): MandateOutcome {
  const { at } = books.batch
  const { presentation, cardId } = judged
  const { mandateId } = presentation
  const known = books.mandates.get(keyOf(cardId, mandateId))
  if (known)
    return isSame(known, { presentation, link: { id: payLinkId } })
      ? { kind: 'already', facts: known }
      : { kind: 'refused', refusal: idReused() }
  if (books.gone.has(keyOf(cardId, mandateId))) return { kind: 'refused', refusal: paidLongAgo() }
  // Time has passed in the lane's queue.
  const refusal = judged.refusal ?? refusalOf(evaluateTimes(presentation, at))
  if (refusal) return { kind: 'refused', refusal }
  const open = openOf(books, at, judged)
  const usedUp = open && openRefusal(open, at, judged)
  if (usedUp) return { kind: 'refused', refusal: usedUp }

  const outcome = pay(paidMandate(judged, open))
  if (outcome.kind === 'refused') return { kind: 'rejected', problem: outcome.problem }
  const facts = factsOf(at, { judged, payLinkId, settlement: outcome.settled.settlement })
  books.mandates.set(keyOf(cardId, mandateId), facts)
  books.accepted.push(facts)
  if (open) use(books, open, { facts, openToken: judged.openToken })
  return { kind: 'settled', facts }
}

/** Whether the rows that judged the mandate are unchanged. Nothing else of a link that matters to a mandate can change. */
const isStill = (
  { keysVersion, link: terms }: MandateIntent,
  { payer, link }: { payer: Card; link: PayLink },
): boolean =>
  payer.keysVersion === keysVersion &&
  link.cardId === terms.cardId &&
  link.walletAddress === terms.walletAddress

/** Whether it is the same payment again, even with new signatures. */
export const isSame = (
  known: MandateFacts,
  { presentation: { closed }, link }: { presentation: Presentation; link: { id: string | null } },
): boolean =>
  known.payLinkId === link.id &&
  known.payeeId === closed.payee.id &&
  known.amount === closed.amount.amount &&
  known.currency === closed.amount.currency &&
  known.transactionId === closed.transactionId

const idReused = (): Ap2Refusal =>
  new Ap2Refusal(
    'mandate_id_reused',
    'A mandate of this jti has made another payment from the card. Sign a new one with a jti of its own',
  )

const paidLongAgo = (): Ap2Refusal =>
  new Ap2Refusal(
    'mandate_id_reused',
    'A mandate of this jti has paid from the card, in a month that was put away since. Sign a new one with a jti of its own',
  )

/** The stored open mandate, or a new row on first sight. */
function openOf(
  books: Books,
  at: Date,
  { presentation: { open, openId }, cardId, openToken, isSealed }: JudgedMandate,
): OpenMandate | undefined {
  if (!open || openId === undefined || openToken === null) return undefined
  const token = isSealed ? null : openToken
  return books.opens.get(openId) ?? newOpenMandate(at, { cardId, openId, open, token })
}

/** Why the open mandate does not back this payment: revoked, used up, or too early. */
export function openRefusal(
  open: OpenMandate,
  at: Date,
  { presentation, rootOf, cardId }: Pick<MandateIntent, 'presentation' | 'rootOf' | 'cardId'>,
): Ap2Refusal | undefined {
  const { amount, currency } = presentation.closed.amount
  if (open.revokedAt) return new Ap2Refusal('mandate_revoked', 'The open mandate was revoked')
  // The service stores every open mandate that it signs. One without a row was not issued here, even under our key.
  if (rootOf === 'service' && !(open.issuedHere && open.cardId === cardId))
    return new Ap2Refusal('mandate_key_untrusted', 'This service did not issue the open mandate')
  if (open.currency !== currency)
    return new Ap2Refusal(
      'mandate_currency_mismatch',
      'The open mandate is counted in another currency',
    )
  const rules = usageRulesOf(presentation)
  return rules && usageRefusal(usageOf(open), rules, amount, at)
}

const usageOf = ({ uses, spent, firstAt, lastAt }: OpenMandate): Usage => ({
  uses,
  spent,
  ...(firstAt && { firstAt }),
  ...(lastAt && { lastAt }),
})

/** Counts a payment under the open mandate, for the next intents of the batch. */
function use(
  books: Books,
  open: OpenMandate,
  { facts, openToken }: { facts: MandateFacts; openToken: string | null },
): void {
  const { openId } = open
  const { cardId, amount, createdAt } = facts
  const token = openToken ?? open.token
  if (!books.opens.has(openId)) books.newOpens.set(openId, open)
  else if (!books.newOpens.has(openId) && !books.usedOpens.has(openId))
    books.usedOpens.set(openId, open)
  if (open.cardId !== cardId && token !== null)
    books.noted.push({ openId, cardId, token, createdAt })
  books.opens.set(openId, {
    ...open,
    uses: open.uses + 1,
    spent: open.spent + amount,
    firstAt: open.firstAt ?? createdAt,
    lastAt: createdAt,
  })
}

/** Other disclosures of the open mandate than those that are kept with it are kept here. */
const paidMandate = (
  { presentation, closedToken, openToken }: JudgedMandate,
  open: OpenMandate | undefined,
): PaidMandate => ({
  id: presentation.mandateId,
  ...presentation.closed.amount,
  openId: presentation.openId ?? null,
  token:
    open && open.token !== null && openToken !== null && openToken !== open.token
      ? joinChain(openToken, closedToken)
      : closedToken,
})

const factsOf = (
  at: Date,
  {
    judged: { presentation, cardId },
    payLinkId,
    settlement,
  }: { judged: JudgedMandate; payLinkId: string | null; settlement: Settled },
): MandateFacts => ({
  cardId,
  mandateId: presentation.mandateId,
  settlementId: settlement.id,
  payLinkId,
  payeeId: presentation.closed.payee.id,
  ...presentation.closed.amount,
  fee: settlement.fee,
  transactionId: presentation.closed.transactionId,
  openId: presentation.openId ?? null,
  reference: presentation.reference,
  mandateSdHash: presentation.mandateSdHash,
  createdAt: at,
})
