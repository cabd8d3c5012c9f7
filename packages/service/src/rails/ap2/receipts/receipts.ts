import { type Caller, mayUseCard } from '../../../api/http/caller.ts'
import type { Uses } from '../../../api/http/services.ts'
import type { Reader } from '../../../base/db/sql.ts'
import { notFound } from '../../../base/kernel/problem.ts'
import { makeReceipt } from '../../../base/protocols/ap2/issue/receipt.ts'
import { findLinkById } from '../../../links/link/store.ts'
import { findTransfer } from '../../../money/ledger/post.ts'
import { noPayment } from '../../../money/settlements/archived.ts'
import { type CardParties, findCardParties } from '../../../money/settlements/store.ts'
import { findMandateOf } from '../mandates/store.ts'
import { findReceipt, keepReceipt } from './store.ts'

/**
 * The signed receipt of a settlement by mandate, for the payer's wallet and the seller's. It is signed on the first request
 * and never changes. Any other wallet gets `not_found`.
 */
export async function receiptOf(
  services: Uses<'db' | 'settings' | 'signing'>,
  at: Date,
  asked: { settlementId: string; caller: Caller },
): Promise<string> {
  const { reader } = services.db
  const { settlementId, caller } = asked
  const settlement = await findCardParties(reader, settlementId)
  if (!settlement || !(await isPartyOf(reader, settlement, caller)))
    throw await noPayment(reader, settlementId, 'settlement')
  if (settlement.protocol !== 'ap2') throw notFound('settlement')
  const kept = await findReceipt(reader, settlementId)
  if (kept !== undefined) return kept
  const mandate = await findMandateOf(reader, settlementId)
  if (!mandate) throw notFound('settlement')
  const signer = await services.signing.current(at)
  return services.db.write(async (tx) => {
    const transfer = await findTransfer(tx, 'settlement', settlementId)
    const receipt = await makeReceipt(
      {
        status: 'Success',
        issuer: services.settings.publicUrl,
        issuedAt: mandate.createdAt,
        paymentId: settlementId,
        reference: mandate.reference,
        mandateSdHash: mandate.mandateSdHash,
        pspConfirmationId: settlementId,
        networkConfirmationId: transfer ?? settlementId,
      },
      signer,
    )
    return keepReceipt(tx, at, { settlementId, receipt })
  })
}

/** Whether the caller paid, with a card that it may have sold since, or is paid. A key that is restricted to cards sees the payments of these cards alone. */
async function isPartyOf(
  on: Reader,
  { payer, payerWallet, payLinkId, receiverWallet }: CardParties,
  caller: Caller,
): Promise<boolean> {
  const link = payLinkId === null ? undefined : await findLinkById(on, payLinkId)
  const cards = [
    { id: payer, walletAddress: payerWallet },
    link && { id: link.cardId, walletAddress: link.walletAddress },
  ]
  const isOfCard = cards.some(
    (one) => one?.walletAddress === caller.walletAddress && mayUseCard(caller, one.id),
  )
  return isOfCard || (!link && caller.cardIds === null && receiverWallet === caller.walletAddress)
}
