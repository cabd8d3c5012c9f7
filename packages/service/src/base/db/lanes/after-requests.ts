const EVERY_MS = 1_000

export type AfterRequests = {
  /** Has the work done within a second. */
  soon(): void
  /** Does it now, behind what is under way. */
  flush(): Promise<void>
}

/**
 * Does work that requests leave behind once a second, and once at a time: behind a slow database the next turn has more to do. No
 * request waits for it. It handles its own failures.
 */
export function afterRequests(work: () => Promise<void>): AfterRequests {
  let timer: NodeJS.Timeout | undefined
  let last = Promise.resolve()
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    last = last.then(work)
    return last
  }
  return {
    soon() {
      timer ??= setTimeout(flush, EVERY_MS).unref()
    },
    flush,
  }
}
