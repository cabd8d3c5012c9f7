/** An intent in the queue of a lane, and its caller. */
export type Waiting = {
  intent: unknown
  /** Makes the note that is stored with the outcome, for a request with an Idempotency-Key. */
  note: ((outcome: unknown) => unknown) | undefined
  resolve(outcome: unknown): void
  reject(error: unknown): void
}
