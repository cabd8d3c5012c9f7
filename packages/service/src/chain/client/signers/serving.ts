import { Problem } from '../../../base/kernel/problem.ts'
import type { Signer } from './signer.ts'
import { SignerError } from './signer-error.ts'

const RETRY_SECONDS = '5'

/**
 * A signer for a running service. If its keeper cannot sign now, the caller may retry, and the reason goes only to the
 * log.
 */
export const servingSigner = (signer: Signer): Signer => ({
  ...servingCustody(signer),
  isInProcess: signer.isInProcess === true,
  signTransaction: (transaction, options) =>
    orUnavailable(() => signer.signTransaction(transaction, options)),
})

/** As `servingSigner`, for a key that signs only typed data. */
export const servingCustody = (
  signer: Pick<Signer, 'address' | 'signTypedData'>,
): Pick<Signer, 'address' | 'signTypedData'> => ({
  address: signer.address,
  signTypedData: (typed) => orUnavailable(() => signer.signTypedData(typed)),
})

async function orUnavailable<T>(sign: () => Promise<T>): Promise<T> {
  try {
    return await sign()
  } catch (error) {
    if (!(error instanceof SignerError)) throw error
    throw new Problem(
      'signer_unavailable',
      'The service cannot sign at the moment. Nothing was lost: send the same request again in a few seconds.',
      { headers: { 'retry-after': RETRY_SECONDS }, cause: error },
    )
  }
}
