// Runs in a page before its own scripts. Notes when its heading is there and nothing loads any more, what was painted, and what moved.
const seen = { ready: 0, paint: 0, shift: 0, busy: 0 }
globalThis.seen = seen
const observe = (type, note) =>
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
    type,
    buffered: true,
  })
observe('largest-contentful-paint', ({ startTime }) => {
  seen.paint = startTime
})
observe('layout-shift', ({ value, hadRecentInput }) => {
  if (!hadRecentInput) seen.shift += value
})
observe('longtask', ({ duration }) => {
  seen.busy += Math.max(0, duration - 50)
})
const look = () => {
  const isThere = document.querySelector('h1') && document.readyState !== 'loading'
  if (isThere && !document.querySelector('[role=status][aria-label=Loading]'))
    requestAnimationFrame(() => {
      seen.ready = performance.now()
    })
  else setTimeout(look, 4)
}
look()
globalThis.bytesTaken = () =>
  [
    ...performance.getEntriesByType('navigation'),
    ...performance.getEntriesByType('resource'),
  ].reduce((sum, { transferSize }) => sum + transferSize, 0)
