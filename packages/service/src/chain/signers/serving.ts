import { Problem } from '../../kernel/problem.ts'
import type { Signer } from './signer.ts'
import { SignerError } from './signer-error.ts'

const RETRY_SECONDS = '5'

/**
 * A signer for a service that is up: where its keeper does not sign now, the caller may try again, and what is
 * the matter goes to the log alone.
 */
export const servingSigner = (signer: Signer): Signer => ({
  ...servingCustody(signer),
  isInProcess: signer.isInProcess === true,
  signTransaction: (transaction, options) =>
    orUnavailable(() => signer.signTransaction(transaction, options)),
})

/** As `servingSigner`, for what signs typed data alone. */
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
