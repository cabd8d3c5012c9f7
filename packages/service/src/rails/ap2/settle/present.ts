import type { KeyObject } from 'node:crypto'
import { type Caller, checkKeyAmount, mayUseCard } from '../../../api/http/caller.ts'
import { perServices, type Uses } from '../../../api/http/services.ts'
import { gather } from '../../../base/db/lanes/gather.ts'
import type { Reader } from '../../../base/db/sql.ts'
import { assert } from '../../../base/kernel/assert.ts'
import { Bounded } from '../../../base/kernel/bounded.ts'
import type { Amount } from '../../../base/kernel/money.ts'
import { notFound, Problem } from '../../../base/kernel/problem.ts'
import { createSpareCore } from '../../../base/kernel/spare-core.ts'
import { refusalOf } from '../../../base/protocols/ap2/judge/checks.ts'
import { type Expected, evaluate } from '../../../base/protocols/ap2/judge/evaluate.ts'
import {
  type Presentation,
  readPresentation,
} from '../../../base/protocols/ap2/read/presentation.ts'
import { Ap2Refusal } from '../../../base/protocols/ap2/refusal.ts'
import type { SigningKeys } from '../../../base/signing-keys/signing-keys.ts'
import { assetOf } from '../../../chain/client/rails.ts'
import { normalCode } from '../../../links/link/store.ts'
import { baseUnitsOf, pricesOf } from '../../../links/pay-links/methods/ap2/prices.ts'
import {
  findCheckoutLinks,
  findLinkTerms,
  type LinkTerms,
} from '../../../links/pay-links/methods/ap2/store.ts'
import { isTokenOf, wrongToken } from '../../../money/cards/token.ts'
import { findPayerCards, type PayerCard } from '../keys/store.ts'
import { createVerifier } from '../keys/trust.ts'
import { isSignedForOwner } from '../mandates/store.ts'
import { rejection } from './rejection.ts'
import type { MandateIntent } from './settle.ts'

/** A mandate as a caller presents it for a link. */
export type Presented = { code: string; closedMandate: string; openMandate?: string | undefined }

/** The size of a process's caches of links and cards. */
const REMEMBERED_MAX = 10_000

/** The reads that simultaneous requests share, and a process's caches of links, cards and keys. */
export const deskOf = perServices(({ db, signing }: Uses<'db' | 'signing'>) => ({
  parties: gather((asked) => db.together((on) => findParties(on, signing, asked))),
  checkoutLink: gather((ids) => findCheckoutLinks(db.reader, ids)),
  verifier: createVerifier(createSpareCore()),
  links: new Bounded<LinkTerms>(REMEMBERED_MAX),
  cards: new Bounded<PayerCard>(REMEMBERED_MAX),
}))

/** The parties that a presentation names, and what was found of them. */
type Named = { code: string; cardId?: string; kid?: string }
type Parties = {
  link: LinkTerms | undefined
  card: PayerCard | undefined
  serviceKey: KeyObject | undefined
}

/** Reads the parties of many presentations. The keys are each one's `Named` as JSON. */
async function findParties(
  on: Reader,
  signing: SigningKeys,
  asked: string[],
): Promise<Map<string, Parties>> {
  const named = asked.map((text) => JSON.parse(text) as Named)
  const each = (pick: (one: Named) => string | undefined): string[] => [
    ...new Set(named.map(pick).filter((name) => name !== undefined)),
  ]
  const [links, cards, keys] = await Promise.all([
    findLinkTerms(
      on,
      each(({ code }) => code),
    ),
    findPayerCards(
      on,
      each(({ cardId }) => cardId),
    ),
    signing.keysOf(
      on,
      each(({ kid }) => kid),
    ),
  ])
  return new Map(
    named.map(({ code, cardId, kid }, i) => [
      asked[i] as string,
      {
        link: links.get(code),
        card: cardId === undefined ? undefined : cards.get(cardId),
        serviceKey: kid === undefined ? undefined : keys.get(kid),
      },
    ]),
  )
}

/** The mandate and the parties that it names, before any check. A mandate that does not read is refused in its turn. */
export type Reading = Parties & { presentation: Presentation | Ap2Refusal }

/** Reads everything that the checks before the lane need. */
export async function readParties(
  services: Uses<'db' | 'signing'>,
  { code, presentation }: { code: string; presentation: Presentation | Ap2Refusal },
): Promise<Reading> {
  const mandate = presentation instanceof Ap2Refusal ? undefined : presentation
  const named: Named = {
    code: normalCode(code),
    ...(mandate && { cardId: mandate.closed.instrument.id }),
    ...(mandate?.rootKid !== undefined && { kid: mandate.rootKid }),
  }
  const desk = deskOf(services)
  const parties = await desk.parties(JSON.stringify(named))
  assert(parties, 'whatever is asked for is answered')
  const { link, card } = parties
  // A link without a checkout may get one later. The lane compares everything else that can change.
  if (link?.checkoutId) desk.links.set(link.code, link)
  if (card) desk.cards.set(card.id, card)
  return { presentation, ...parties }
}

/**
 * As `readParties`, from this process's caches, for a mandate that a user of the card signed. The lane notices changes. A
 * refusal on cached rows is never answered: the parties are read again first.
 */
function recallParties(
  services: Uses<'db' | 'signing'>,
  { code, presentation }: { code: string; presentation: Presentation | Ap2Refusal },
): Reading | undefined {
  if (presentation instanceof Ap2Refusal) return undefined
  const desk = deskOf(services)
  const link = desk.links.get(normalCode(code))
  const card = desk.cards.get(presentation.closed.instrument.id)
  const { rootKid } = presentation
  if (!link || !card || (rootKid !== undefined && !Object.hasOwn(card.userKeys, rootKid)))
    return undefined
  return { presentation, link, card, serviceKey: undefined }
}

/** The mandate, or why it cannot be read. */
export function readMandate({ closedMandate, openMandate }: Presented): Presentation | Ap2Refusal {
  try {
    return readPresentation({ closedMandate, ...(openMandate !== undefined && { openMandate }) })
  } catch (error) {
    if (error instanceof Ap2Refusal) return error
    throw error
  }
}

/** The link. Throws if it does not exist or does not accept AP2. */
export function payableLink({ link }: Reading): LinkTerms {
  if (!link) throw notFound('pay link')
  if (!link.acceptedProtocols.includes('ap2'))
    throw new Problem(
      'protocol_not_accepted',
      `This link takes ${link.acceptedProtocols.join(', ')}, not AP2 mandates.`,
    )
  return link
}

/** The payer's card. Throws if the caller's key excludes it or the token is not the card's. */
function payerCard({ card }: Reading, by: { caller: Caller; token: string }): PayerCard {
  if (!card || !mayUseCard(by.caller, card.id)) throw notFound('card')
  if (!isTokenOf(card, by.token)) throw wrongToken(card)
  return card
}

/** The facts that a mandate for this link is checked against. Reads the database only if it names another checkout. */
export async function expectedOf(
  services: Uses<'chain' | 'db' | 'settings' | 'signing'>,
  { link, presentation }: { link: LinkTerms; presentation: Presentation },
): Promise<Expected> {
  const { publicUrl } = services.settings
  const { transactionId } = presentation.closed
  const owner =
    transactionId === link.checkoutId ? link.id : await deskOf(services).checkoutLink(transactionId)
  return {
    audiences: [publicUrl, `${publicUrl}/pay/${link.code}`],
    payeeIds: [link.code, link.walletAddress],
    prices: pricesOf(link, assetOf(services.chain, link)),
    // Our checkouts end with their links, and the link itself says when it has.
    checkout: owner === undefined ? 'unknown' : owner === link.id ? 'this_link' : 'other_link',
    requiresCheckout: link.isRequired,
    references: link.checkoutId === null ? [] : [link.checkoutId],
  }
}

/** A request to settle a mandate. */
export type SettleOrder = {
  presented: Presented
  presentation: Presentation | Ap2Refusal
  token: string
  caller: Caller
}

/** Judges the mandate by rows read from the database. Throws the refusals that come before the lane. */
export const readIntent = async (
  services: Uses<'chain' | 'db' | 'settings' | 'signing'>,
  at: Date,
  order: SettleOrder,
): Promise<MandateIntent> => {
  const { presented, presentation } = order
  const reading = await readParties(services, { code: presented.code, presentation })
  return intentOf(services, at, order, reading)
}

/** As `readIntent`, from the caches. Undefined if something is not cached or is refused: then the rows must be read. */
export async function recallIntent(
  services: Uses<'chain' | 'db' | 'settings' | 'signing'>,
  at: Date,
  order: SettleOrder,
): Promise<MandateIntent | undefined> {
  const { presented, presentation } = order
  const reading = recallParties(services, { code: presented.code, presentation })
  if (!reading) return undefined
  try {
    const intent = await intentOf(services, at, order, reading)
    return intent.refusal ? undefined : intent
  } catch (error) {
    if (error instanceof Problem || error instanceof Ap2Refusal) return undefined
    throw error
  }
}

/**
 * Checks the signatures and judges the mandate. The lane looks for earlier payments before it answers the refusal, so that
 * a replay gets its first answer even if the mandate has expired since.
 */
async function intentOf(
  services: Uses<'chain' | 'db' | 'settings' | 'signing'>,
  at: Date,
  { presented, token, caller }: SettleOrder,
  reading: Reading,
): Promise<MandateIntent> {
  const { presentation, serviceKey } = reading
  const link = payableLink(reading)
  if (presentation instanceof Ap2Refusal) throw rejection(presentation)
  const card = payerCard(reading, { caller, token })
  const asset = assetOf(services.chain, link)
  const rootOf = await deskOf(services).verifier.verify(presentation, { card, serviceKey })
  if (rootOf === 'service') await checkOwner(services, { card, presentation })
  const expected = await expectedOf(services, { link, presentation })
  const amount = baseUnitsOf(presentation.closed.amount, asset)
  if (amount !== undefined) checkKeyAmount(caller, amount, asset)
  const tokens = tokensOf(presented)
  return {
    presentation,
    rootOf,
    refusal: refusalOf(evaluate(presentation, expected, at)),
    link,
    cardId: card.id,
    keysVersion: card.keysVersion,
    token,
    // A currency that pays no link is refused before the amount counts.
    amount: amount ?? (0n as Amount),
    ...tokens,
    asset,
    fee: services.settings.fee,
  }
}

/** The closed and the open token, apart, as they are kept for a dispute. */
function tokensOf({ closedMandate, openMandate }: Presented): {
  closedToken: string
  openToken: string | null
} {
  const [first = '', second] = closedMandate.split('~~')
  const open = openMandate ?? (second === undefined ? undefined : first)
  return {
    closedToken: second ?? closedMandate,
    openToken: open === undefined ? null : open.endsWith('~') ? open : `${open}~`,
  }
}

/** The service signs for the owner that a card has. A sale ends what it signed for the owner before. */
async function checkOwner(
  { db }: Uses<'db'>,
  { card, presentation }: { card: PayerCard; presentation: Presentation },
): Promise<void> {
  const { id: cardId, ownerNo } = card
  const { mandateId, open } = presentation
  // An open mandate of ours is revoked by the sale.
  if (open || ownerNo === 0) return
  if (!(await isSignedForOwner(db.reader, { cardId, mandateId, ownerNo })))
    throw new Ap2Refusal(
      'mandate_key_untrusted',
      'The mandate was signed for an earlier owner of the card. Have a new one signed',
    )
}
