/** When the link ends, by the clock of this page's life: a browser's own clock may be wrong. */
export type Deadline = { hear(secondsLeft: number): void }

/** Seconds at which a screen reader hears how much is left. */
const SAID_AT = [600, 300, 60, 30]
/** By the second only in the last hour. */
const HOUR = 3600
/** A difference below this is the way of the answer: nothing jumps. */
const SLACK_SECONDS = 2

/** Counts down to the link's end, from what the service says is left. `ended` is called once it is over. */
export function countDown(element: HTMLElement, ended: () => void): Deadline {
  const said = element.parentElement?.querySelector<HTMLElement>('[data-time-said]')
  const leftAt = (endMs: number) => Math.max(0, Math.ceil((endMs - performance.now()) / 1000))
  const endIn = (seconds: number) => performance.now() + seconds * 1000
  let end = endIn(Number(element.dataset.secondsLeft))
  let before = leftAt(end)
  let isOver = false
  const tick = () => {
    const left = leftAt(end)
    element.textContent = `in ${left < HOUR ? clockText(left) : words(left)}`
    const crossed = SAID_AT.find((mark) => before > mark && left <= mark)
    if (said && crossed !== undefined) said.textContent = `This link ends in ${words(left)}.`
    before = left
    if (left === 0 && !isOver) {
      isOver = true
      ended()
    }
  }
  tick()
  setInterval(tick, 1000)
  return {
    hear(secondsLeft) {
      if (Math.abs(leftAt(end) - secondsLeft) < SLACK_SECONDS) return
      end = endIn(secondsLeft)
      isOver = false
      tick()
    },
  }
}

const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** The two largest units, e.g. `2 hours 5 minutes`. */
export function words(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  if (minutes === 0) return `${seconds} seconds`
  const parts: [count: number, unit: string][] = [
    [Math.floor(minutes / 1440), 'day'],
    [Math.floor((minutes % 1440) / 60), 'hour'],
    [minutes % 60, 'minute'],
  ]
  const first = parts.findIndex(([count]) => count > 0)
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? '' : 's'}`)
    .join(' ')
}
