/**
 * A key that cannot be opened or did not sign. The message is for the operator: it says what is wrong and what to
 * do, and holds no secret. It is not for callers of the API. Signing again later is safe.
 */
export class SignerError extends Error {
  override readonly name = 'SignerError'
}
