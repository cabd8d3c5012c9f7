import type { Clock } from '../../../base/kernel/clock.ts'

/** Something on loan: credentials or a token. Without `endsAt` it never expires. */
export type Lease<T> = { value: T; endsAt: Date | undefined }
export type Leased<T> = {
  current(): Promise<T>
  /** Drops the value, because its lender no longer accepts it. */
  renew(): void
}

/** AWS and Google issue the next lease from five minutes before the end of the current one. */
const EARLY_MS = 4 * 60_000

/** Borrows on first use, and again shortly before the end. Concurrent callers wait for the same loan. */
export function leased<T>(borrow: () => Promise<Lease<T>>, clock: Clock): Leased<T> {
  let lease: Promise<Lease<T>> | undefined
  const renew = (): void => {
    lease = undefined
  }
  const isEnding = ({ endsAt }: Lease<T>): boolean =>
    endsAt !== undefined && endsAt.getTime() - EARLY_MS <= clock.now().getTime()
  const borrowOnce = (): Promise<Lease<T>> => {
    const borrowed = borrow()
    lease = borrowed
    // A failure reaches the callers that wait for it and is not cached: the next caller borrows again.
    borrowed.catch(() => {
      if (lease === borrowed) renew()
    })
    return borrowed
  }
  return {
    renew,
    async current() {
      const seen = lease ?? borrowOnce()
      const found = await seen
      if (!isEnding(found)) return found.value
      const next = lease === seen || lease === undefined ? borrowOnce() : lease
      return (await next).value
    },
  }
}
