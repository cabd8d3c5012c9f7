import { mayUseCard } from '../../../api/http/caller.ts'
import type { Uses } from '../../../api/http/services.ts'
import type { Reader } from '../../../base/db/sql.ts'
import type { Presentation } from '../../../base/protocols/ap2/read/presentation.ts'
import { Ap2Refusal } from '../../../base/protocols/ap2/refusal.ts'
import { isTokenOf } from '../../../money/cards/token.ts'
import { findMandates, type MandateFacts } from '../mandates/store.ts'
import { readParties, type SettleOrder } from './present.ts'

/** An earlier payment by the same bytes: the accepted mandate and the code of its link. */
export type Replay = { facts: MandateFacts; code: string }

/**
 * The payment that this exact mandate has made, even if keys, link or card have changed since. The caller needs the card's
 * current token: a token that was rotated out gets no answer.
 */
export async function findReplay(
  services: Uses<'db' | 'signing'>,
  { presented, presentation, token, caller }: SettleOrder,
): Promise<Replay | undefined> {
  if (presentation instanceof Ap2Refusal) return undefined
  const { link, card } = await readParties(services, { code: presented.code, presentation })
  if (!link || !card || !mayUseCard(caller, card.id) || !isTokenOf(card, token)) return undefined
  const of = { cardId: card.id, payLinkId: link.id, presentation }
  const facts = await findAccepted(services.db.reader, of)
  return facts && { facts, code: link.code }
}

/** The accepted mandate that has the same bytes, its signature included, and has paid this link. */
export async function findAccepted(
  on: Reader,
  {
    cardId,
    payLinkId,
    presentation,
  }: { cardId: string; payLinkId: string; presentation: Presentation },
): Promise<MandateFacts | undefined> {
  const { mandateId, mandateSdHash } = presentation
  const [known] = await findMandates(on, [{ cardId, mandateId }])
  const isSameMandate = known?.payLinkId === payLinkId && known.mandateSdHash === mandateSdHash
  return isSameMandate ? known : undefined
}
