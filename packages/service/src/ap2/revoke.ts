import { lockCard } from '../cards/store.ts'
import type { Tx } from '../db/sql.ts'
import { record } from '../events/record.ts'
import { type Caller, mayUseCard } from '../http/caller.ts'
import { notFound, Problem } from '../kernel/problem.ts'
import { nameOf } from './issue-open.ts'
import { openMandateOf } from './open-mandate.ts'
import { ownCard, readField } from './own-card.ts'
import {
  findMandates,
  findNamedOpenMandates,
  findOpenMandates,
  insertOpenMandates,
  markOpenRevoked,
  type OpenMandate,
} from './store.ts'

export type Revocation = { mandateId: string; cardId?: string; token?: string }

/**
 * Revokes an open mandate for good: from the commit on it backs no payment. One that was never seen here is revoked by
 * its token. A closed mandate that has paid can only be refunded, which is 409.
 */
export async function revokeMandate(
  tx: Tx,
  at: Date,
  { caller, of }: { caller: Caller; of: Revocation },
): Promise<OpenMandate> {
  const meant =
    of.token === undefined ? await findOwn(tx, caller, of) : await readToken(tx, at, { caller, of })
  // A card's mandates are under its lock: a settle that holds it commits before this, all others see the revocation.
  const card = await lockCard(tx, meant.cardId)
  const [known] = await findOpenMandates(tx, [meant])
  const open = known ?? meant
  if (open.revokedAt) return open
  if (!known) await insertOpenMandates(tx, [open])
  await markOpenRevoked(tx, at, open)
  await record(tx, at, [
    {
      type: 'mandate.revoked',
      walletAddress: card?.walletAddress ?? caller.walletAddress,
      subject: nameOf(open),
      data: { mandate_id: nameOf(open), card_id: open.cardId, open_id: open.openId },
    },
  ])
  return { ...open, revokedAt: at }
}

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
    const [paid] = await findMandates(tx, [{ cardId: card.id, mandateId: of.mandateId }])
    if (paid)
      throw new Problem(
        'invalid_state',
        'The mandate has paid. Ask the seller for a refund; only what has not paid can be revoked.',
      )
  }
  throw notFound('mandate')
}

/** The open mandate as its token has it: of one that no payment was made under, all that is known. */
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
  return open
}
