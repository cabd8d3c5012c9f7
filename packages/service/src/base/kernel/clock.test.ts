import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { deadlineIn } from './clock.ts'

const HOME = new URL('./clock.ts', import.meta.url).href

// A reader that polls `aborted`, as an export does, listens to nothing: this is where the built-in signals are lost.
test('a deadline fires by its time and by the other signal while memory is collected', async () => {
  const program = `
    import { deadlineIn } from '${HOME}'
    const closing = new AbortController()
    setTimeout(() => closing.abort(new Error('closing')), 300)
    const byTime = deadlineIn(300)
    const byOther = deadlineIn(60_000, closing.signal)
    const startedAt = performance.now()
    while (!(byTime.signal.aborted && byOther.signal.aborted) && performance.now() - startedAt < 20_000) {
      gc()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    console.log(byTime.signal.reason?.name, byOther.signal.reason?.message)
    byTime[Symbol.dispose]()
    byOther[Symbol.dispose]()`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    '--input-type=module',
    '-e',
    program,
  ])
  expect(stdout).toBe('TimeoutError closing\n')
})

test('disposed of, it fires no more and leaves the other signal as it was', () => {
  const closing = new AbortController()
  const deadline = deadlineIn(60_000, closing.signal)
  deadline[Symbol.dispose]()
  closing.abort()
  expect(deadline.signal.aborted).toBe(false)
  const { signal } = deadlineIn(60_000, closing.signal)
  expect(signal.aborted).toBe(true)
})
