import { record } from '../../../api/events/record.ts'
import { mandateReceipt } from '../../../api/events/types/mandates.ts'
import type { Uses } from '../../../api/http/services.ts'
import type { Tx } from '../../../base/db/sql.ts'
import { notFound } from '../../../base/kernel/problem.ts'
import { verifyReceipt } from '../../../base/protocols/ap2/issue/receipt.ts'
import { readJws } from '../../../base/protocols/ap2/jose/jws.ts'
import { readText } from '../../../base/protocols/ap2/read/fields.ts'
import { Ap2Refusal } from '../../../base/protocols/ap2/refusal.ts'
import { member } from '../../../base/protocols/json.ts'
import { findNamedOpenMandates } from '../mandates/open/store.ts'
import { findReferences } from '../mandates/store.ts'
import { readField } from '../read-field.ts'
import { insertReceived } from './store.ts'

/** A receipt as it reads, with what could be verified of it. */
export type ReadReceipt = {
  jwt: string
  status: string
  reference: string
  /** The issuer that the receipt names. */
  iss: string | null
  /** `verified` for one that this service signed; the keys of others are not known here. */
  signature: 'verified' | 'unverified'
}

/** Reads a counterparty's receipt. Refuses, as 400, one in this service's own name that it did not sign. */
export async function readReceipt(
  services: Uses<'settings' | 'signing'>,
  jwt: string,
): Promise<ReadReceipt> {
  const { header, payload } = readField('payment_receipt', () => readJws(jwt))
  const ours = header.kid === undefined ? undefined : await services.signing.keyOf(header.kid)
  return readField('payment_receipt', () => {
    if (ours) verifyReceipt(jwt, ours)
    else if (member(payload, 'iss') === services.settings.publicUrl)
      throw new Ap2Refusal('receipt_invalid', 'This service did not sign it')
    const status = readText(payload, 'status')
    if (status !== 'Success' && status !== 'Error')
      throw new Ap2Refusal('receipt_invalid', 'Its status is neither Success nor Error')
    const iss = member(payload, 'iss') === undefined ? null : readText(payload, 'iss')
    return {
      jwt,
      status,
      iss,
      reference: readText(payload, 'reference'),
      signature: ours ? ('verified' as const) : ('unverified' as const),
    }
  })
}

/**
 * Keeps the receipt with the wallet's mandate that it is for: one that paid here, or that the service signed. The same
 * receipt again changes nothing. Throws `not_found` without such a mandate, and refuses the receipt of another.
 */
export async function keepReceived(
  tx: Tx,
  at: Date,
  of: { walletAddress: string; mandateId: string; receipt: ReadReceipt },
): Promise<void> {
  const { walletAddress, mandateId, receipt } = of
  const { jwt, ...facts } = receipt
  const paidOrSigned = await findReferences(tx, { walletAddress, mandateId })
  const open = await findNamedOpenMandates(tx, { walletAddress, name: mandateId })
  if (paidOrSigned.length === 0 && !open.some(({ issuedHere }) => issuedHere))
    throw notFound('mandate')
  const names = paidOrSigned.flatMap(({ reference, mandateSdHash }) => [reference, mandateSdHash])
  readField('payment_receipt', () => {
    if (!names.includes(receipt.reference))
      throw new Ap2Refusal('receipt_invalid', 'It is the receipt of another mandate')
  })
  const { status, reference, signature } = receipt
  const kept = { status, reference, signature, receipt: jwt, createdAt: at }
  if (!(await insertReceived(tx, { walletAddress, mandateId, ...kept }))) return
  await record(tx, at, [
    mandateReceipt.of({
      walletAddress,
      data: { mandate_id: mandateId, ...facts, receipt: jwt },
    }),
  ])
}
