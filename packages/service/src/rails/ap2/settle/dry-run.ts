import { type Caller, mayUseCard } from '../../../api/http/caller.ts'
import type { Uses } from '../../../api/http/services.ts'
import { amount } from '../../../base/kernel/money.ts'
import type { Problem, ProblemCode } from '../../../base/kernel/problem.ts'
import { evaluate } from '../../../base/protocols/ap2/judge/evaluate.ts'
import type { Presentation } from '../../../base/protocols/ap2/read/presentation.ts'
import { Ap2Refusal } from '../../../base/protocols/ap2/refusal.ts'
import { assetOf } from '../../../chain/client/rails.ts'
import { closedProblem, leastProblem, payeeOf } from '../../../links/link/link.ts'
import { findLink } from '../../../links/link/store.ts'
import { baseUnitsOf } from '../../../links/pay-links/methods/ap2/prices.ts'
import type { LinkTerms } from '../../../links/pay-links/methods/ap2/store.ts'
import { readAround } from '../../../money/cards/debit.ts'
import { decide } from '../../../money/cards/policy.ts'
import { findCard } from '../../../money/cards/store.ts'
import type { PayerCard } from '../keys/store.ts'
import type { RootOf } from '../keys/trust.ts'
import { newOpenMandate } from '../mandates/open/open-mandate.ts'
import { findOpenMandates } from '../mandates/open/store.ts'
import { readAccepted } from '../mandates/store.ts'
import {
  deskOf,
  expectedOf,
  type Presented,
  payableLink,
  type Reading,
  readMandate,
  readParties,
} from './present.ts'
import { findAccepted } from './replay.ts'
import { isSame, openRefusal } from './settle.ts'

/** One check of a dry run; `code` is what settle would refuse with. */
export type DryCheck = { check: string; ok: boolean; detail: string; code?: ProblemCode }
export type DryRun = {
  /** Whether settle, with the card's token, would answer 201 or 200 now. */
  ok: boolean
  isSettled: boolean
  presentation: Presentation | undefined
  checks: DryCheck[]
}
/** A mandate whose signatures are good. */
type Signed = { link: LinkTerms; presentation: Presentation; card: PayerCard; rootOf: RootOf }

/**
 * Every check of settle except the card's token, each with its result. Writes nothing. Earlier payments, the card's state
 * and the budget are shown only for a mandate whose signatures are valid, or were when it was accepted. Throws like
 * settle if the link does not exist or does not accept AP2.
 */
export async function dryRun(
  services: Uses<'chain' | 'db' | 'settings' | 'signing'>,
  at: Date,
  { presented, caller }: { presented: Presented; caller: Caller },
): Promise<DryRun> {
  const presentation = readMandate(presented)
  const reading = await readParties(services, { code: presented.code, presentation })
  const link = payableLink(reading)
  const { serviceKey } = reading
  if (presentation instanceof Ap2Refusal)
    return ended([refused('structure', presentation)], undefined)
  const checks = [passed('structure', 'It reads as a mandate of AP2 v0.2')]
  const card = reading.card && mayUseCard(caller, reading.card.id) ? reading.card : undefined
  if (!card) {
    checks.push(failed('card', 'not_found', 'The payer card does not exist'))
    return ended(checks, presentation)
  }
  const of = { cardId: card.id, payLinkId: link.id, presentation }
  if (await findAccepted(services.db.reader, of))
    return { ok: true, isSettled: true, presentation, checks: [...checks, settledBefore()] }
  const rootOf = await signerOf(services, { presentation, card, serviceKey })
  const expected = await expectedOf(services, { link, presentation })
  if (rootOf instanceof Ap2Refusal) {
    checks.push(refused('signature', rootOf), ...evaluate(presentation, expected, at))
    return ended(checks, presentation)
  }
  checks.push(passed('signature', `Signed by a key of the ${rootOf}`))
  checks.push(...evaluate(presentation, expected, at))
  const signed = { link, presentation, card, rootOf }
  const replay = await checkReplay(services, signed)
  if (replay?.ok) return { ok: true, isSettled: true, presentation, checks: [...checks, replay] }
  checks.push(replay ?? passed('replay', 'No payment was made with this mandate'))
  const state = await checkState(services, at, signed)
  const isOwn = card.walletAddress === caller.walletAddress
  checks.push(...(isOwn ? state : state.map(withoutCause)))
  return ended(checks, presentation)
}

const ended = (checks: DryCheck[], presentation: Presentation | undefined): DryRun => ({
  ok: checks.every(({ ok }) => ok),
  isSettled: false,
  presentation,
  checks,
})

const passed = (check: string, detail: string): DryCheck => ({ check, ok: true, detail })
const failed = (check: string, code: ProblemCode, detail: string): DryCheck => ({
  check,
  ok: false,
  detail,
  code,
})
const refused = (check: string, { code, detail }: Ap2Refusal): DryCheck =>
  failed(check, code, detail)
/** The root's signer, or the refusal if a signature is invalid. */
async function signerOf(
  services: Uses<'db' | 'signing'>,
  of: { presentation: Presentation; card: PayerCard; serviceKey: Reading['serviceKey'] },
): Promise<RootOf | Ap2Refusal> {
  try {
    return await deskOf(services).verifier.verify(of.presentation, of)
  } catch (error) {
    return asRefusal(error)
  }
}

const asRefusal = (error: unknown): Ap2Refusal => {
  if (error instanceof Ap2Refusal) return error
  throw error
}

const settledBefore = (): DryCheck =>
  passed('replay', 'It has settled this link; settle answers ALREADY_SETTLED')

/** Whether the mandate has paid already: the same payment is answered again, another of its id is refused. */
async function checkReplay(services: Uses<'db'>, of: Signed): Promise<DryCheck | undefined> {
  const { mandateId } = of.presentation
  const { mandates, gone } = await readAccepted(services.db.reader, [
    { cardId: of.card.id, mandateId },
  ])
  const [known] = mandates
  if (!known && gone.length === 0) return undefined
  return known && isSame(known, of)
    ? settledBefore()
    : failed('replay', 'mandate_id_reused', 'Its id has made another payment from the card')
}

/** The open mandate's use, the link's state and the card's policy, as they stand now. */
async function checkState(
  services: Uses<'chain' | 'db'>,
  at: Date,
  of: Signed,
): Promise<DryCheck[]> {
  const { reader } = services.db
  const [usage, link, payer] = await Promise.all([
    checkUsage(services, at, of),
    findLink(reader, of.link.code),
    findCard(reader, of.card.id),
  ])
  const closed = link && closedProblem(link, at)
  const checks = [...usage, ofProblem('link', closed, 'The link takes payments')]
  const asset = assetOf(services.chain, of.link)
  const base = baseUnitsOf(of.presentation.closed.amount, asset)
  if (!link || !payer || base === undefined) return checks
  if (payer.id === link.cardId)
    return [...checks, failed('card', 'invalid_payment', 'A card cannot pay its own link')]
  const small = leastProblem(link, base, asset)
  if (small) checks.push(failed('amount', small.code, small.message))
  const spend = {
    amount: amount(link.amount ?? base),
    ...payeeOf(link),
    rail: 'ap2' as const,
    request: of.presentation.mandateId,
  }
  const { card, ...around } = await readAround(reader, at, payer)
  const decision = decide(card, spend, at, around)
  checks.push(
    decision.allowed
      ? passed('card', 'The card may spend it')
      : failed('card', decision.rule, decision.message),
  )
  return checks
}

async function checkUsage(services: Uses<'db'>, at: Date, of: Signed): Promise<DryCheck[]> {
  const { open, openId } = of.presentation
  if (!open || openId === undefined) return []
  const cardId = of.card.id
  const [known] = await findOpenMandates(services.db.reader, [openId])
  try {
    const row = known ?? newOpenMandate(at, { cardId, openId, open, token: '' })
    const refusal = openRefusal(row, at, { ...of, cardId })
    if (refusal) return [refused('usage', refusal)]
  } catch (error) {
    // One that caps no amount has no currency to be counted in.
    return [refused('usage', asRefusal(error))]
  }
  return [passed('usage', 'The open mandate backs this payment')]
}

/** The limits and balance of a card, and what its open mandate has left, are not the business of those it pays. */
const withoutCause = (check: DryCheck): DryCheck =>
  check.ok || check.check === 'link'
    ? check
    : failed(check.check, 'payment_rejected', 'The payer cannot make this payment now')

const ofProblem = (check: string, problem: Problem | undefined, detail: string): DryCheck =>
  problem ? failed(check, problem.code, problem.message) : passed(check, detail)
