const EVERY_MS = 1_000

let lastCountMs: number | undefined
let shown: { timer: NodeJS.Timeout; isWritten: boolean } | undefined

/** Says on a terminal what is waited for, and for how long, from the first second on. Nothing where stderr is a file. */
export function startProgress(what: string): void {
  stopWaiting()
  if (!process.stderr.isTTY) return
  const startedMs = performance.now()
  const state = {
    isWritten: false,
    timer: setInterval(() => {
      const seconds = Math.round((performance.now() - startedMs) / 1000)
      process.stderr.write(`\r\x1b[K${what} ${seconds} s`)
      state.isWritten = true
    }, EVERY_MS),
  }
  // A command that is done does not wait for it.
  state.timer.unref()
  shown = state
}

/** Says on a terminal how far a long work is, once a second at most. */
export function showCount(count: number, what: string): void {
  if (!process.stderr.isTTY) return
  const now = performance.now()
  lastCountMs ??= now
  if (now - lastCountMs < EVERY_MS) return
  lastCountMs = now
  process.stderr.write(`\r\x1b[K${count} ${what}`)
}

/** Takes all that was shown away again. */
export function stopProgress(): void {
  stopWaiting()
  if (lastCountMs !== undefined) process.stderr.write('\r\x1b[K')
  lastCountMs = undefined
}

/** Takes away what is waited for. */
export function stopWaiting(): void {
  if (!shown) return
  clearInterval(shown.timer)
  if (shown.isWritten) process.stderr.write('\r\x1b[K')
  shown = undefined
}
