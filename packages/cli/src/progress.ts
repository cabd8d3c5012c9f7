const EVERY_MS = 1_000

let shown: { timer: NodeJS.Timeout; isWritten: boolean } | undefined

/** Says on a terminal what is waited for, and for how long, from the first second on. Nothing where stderr is a file. */
export function startProgress(what: string): void {
  stopProgress()
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

/** Takes the line away again. */
export function stopProgress(): void {
  if (!shown) return
  clearInterval(shown.timer)
  if (shown.isWritten) process.stderr.write('\r\x1b[K')
  shown = undefined
}
