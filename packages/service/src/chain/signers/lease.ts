import type { Clock } from '../../kernel/clock.ts'

/** Something that is lent: credentials, a token. Without `endsAt` it lasts. */
export type Lease<T> = { value: T; endsAt: Date | undefined }
export type Leased<T> = {
  current(): Promise<T>
  /** Forgets it, because its lender has said that it does not hold. */
  renew(): void
}

/** AWS and Google both hand out the next from five minutes before the end of the one before. */
const EARLY_MS = 4 * 60_000

/** Borrows when it is first needed, and again shortly before the end; those who ask meanwhile wait for the same one. */
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
    // A failure reaches those who wait for it, and is not kept: the next to ask asks anew.
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
