/**
 * A key could not be opened or did not sign. The message is for the operator, not for callers of the API: it says what
 * is wrong and what to do, and holds no secret. Signing again later is safe.
 */
export class SignerError extends Error {
  override readonly name = 'SignerError'
}
