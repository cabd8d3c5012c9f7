import type { BuiltEvent } from '../../../../api/events/define.ts'
import { record } from '../../../../api/events/record.ts'
import { mandateRevoked } from '../../../../api/events/types/mandates.ts'
import { type Caller, mayUseCard } from '../../../../api/http/caller.ts'
import { lockOwned } from '../../../../base/db/owned.ts'
import type { Tx } from '../../../../base/db/sql.ts'
import { assert } from '../../../../base/kernel/assert.ts'
import { notFound, Problem } from '../../../../base/kernel/problem.ts'
import { namesInstrument } from '../../../../base/protocols/ap2/judge/judge-open.ts'
import { readOpenContent } from '../../../../base/protocols/ap2/read/content.ts'
import { readHop } from '../../../../base/protocols/ap2/read/hop.ts'
import { Ap2Refusal } from '../../../../base/protocols/ap2/refusal.ts'
import type { CardWithMoney } from '../../../../money/cards/card.ts'
import { ownCard } from '../../../../money/cards/controls/own-card.ts'
import { lockCard } from '../../../../money/cards/store.ts'
import { findPayerCards } from '../../keys/store.ts'
import { checkRoot } from '../../keys/trust.ts'
import { readField } from '../../read-field.ts'
import { readAccepted } from '../store.ts'
import { nameOf, openMandateOf } from './open-mandate.ts'
import {
  findNamedOpenMandates,
  findOpenMandates,
  findOwners,
  insertOpenMandate,
  insertOpenMandateCards,
  markOpenRevoked,
  type OpenMandate,
} from './store.ts'

export type Revocation = { mandateId: string; cardId?: string; token?: string }

/**
 * Revokes an open mandate for good: from the commit on it backs no payment, on any card. The owner of a card that it was
 * issued for or used on may revoke it by its name. For any other card of theirs they send its token, which a user key of
 * that card must have signed. A closed mandate that has paid can only be refunded: that is 409.
 */
export async function revokeMandate(
  tx: Tx,
  at: Date,
  { caller, of }: { caller: Caller; of: Revocation },
): Promise<OpenMandate> {
  const meant =
    of.token === undefined ? await findOwn(tx, caller, of) : await readToken(tx, at, { caller, of })
  // Cards come before open mandates in the order of locks.
  const isMine = (card: CardWithMoney) => card.walletAddress === caller.walletAddress
  await lockOwned(lockCard(tx, meant.cardId), isMine, 'mandate')
  const [known] = await findOpenMandates(tx, [meant.openId])
  if (!known) await insertOpenMandate(tx, meant)
  else if (known.cardId !== meant.cardId && meant.token !== null)
    await insertOpenMandateCards(tx, [{ ...meant, token: meant.token, createdAt: at }])
  const isRevokedNow = await markOpenRevoked(tx, at, meant.openId)
  const [open] = await findOpenMandates(tx, [meant.openId])
  assert(open, 'it was written')
  if (isRevokedNow) await record(tx, at, revokedEvents(open, await findOwners(tx, open.openId)))
  return open
}

/** One event for each wallet that has cards of the mandate. With several cards, the event names none. */
const revokedEvents = (
  open: OpenMandate,
  owners: readonly { walletAddress: string; cardIds: string[] }[],
): BuiltEvent[] =>
  owners.map(({ walletAddress, cardIds }) => {
    const [cardId = null] = cardIds.length === 1 ? cardIds : []
    const data = { mandate_id: nameOf(open), open_id: open.openId, card_id: cardId }
    return mandateRevoked.of({ walletAddress, data })
  })

async function findOwn(tx: Tx, caller: Caller, of: Revocation): Promise<OpenMandate> {
  const named = await findNamedOpenMandates(tx, {
    walletAddress: caller.walletAddress,
    name: of.mandateId,
  })
  const open = named.find(
    ({ cardId }) => mayUseCard(caller, cardId) && (of.cardId === undefined || of.cardId === cardId),
  )
  if (open) return open
  if (of.cardId !== undefined) {
    const card = await ownCard(tx, caller, of.cardId)
    const paid = await readAccepted(tx, [{ cardId: card.id, mandateId: of.mandateId }])
    if (paid.mandates.length + paid.gone.length > 0)
      throw new Problem(
        'invalid_state',
        'The mandate has paid. Ask the seller for a refund; only what has not paid can be revoked.',
      )
  }
  throw notFound('mandate')
}

/** The open mandate as its token has it, once the token shows that it may debit the caller's card. */
async function readToken(
  tx: Tx,
  at: Date,
  { caller, of }: { caller: Caller; of: Revocation },
): Promise<OpenMandate> {
  if (of.cardId === undefined)
    throw new Problem('missing_field', 'With open_mandate send the card_id it is for.', {
      param: 'card_id',
    })
  const card = await ownCard(tx, caller, of.cardId)
  const token = of.token ?? ''
  const open = readField('open_mandate', () =>
    openMandateOf(at, { cardId: card.id, token, issuedHere: false }),
  )
  if (open.openId !== of.mandateId && open.jti !== of.mandateId) throw notFound('mandate')
  const { walletAddress } = caller
  const known = await findNamedOpenMandates(tx, { walletAddress, name: open.openId })
  if (!known.some(({ cardId }) => cardId === card.id)) await checkIsTheirs(tx, card.id, open)
  return open
}

/** Revoking ends a mandate on the cards of others too, so the token alone, which any merchant has seen, is not enough. */
async function checkIsTheirs(tx: Tx, cardId: string, { token }: { token: string }): Promise<void> {
  const payer = (await findPayerCards(tx, [cardId])).get(cardId)
  assert(payer, 'the card is there')
  readField('open_mandate', () => {
    const root = readHop(token)
    if (!namesInstrument(readOpenContent(root.content), cardId))
      throw new Ap2Refusal('mandate_constraint_violated', 'It does not allow this card')
    checkRoot(root, payer)
  })
}
