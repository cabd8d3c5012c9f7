/** The colours of the design as a canvas takes them, at an element: they differ between light and dark. */
export function colours(element: HTMLElement) {
  // A canvas does not know `light-dark()`: the browser has to make a colour of it first.
  const sample = element.appendChild(document.createElement('span'))
  const read = (name: string): string => {
    sample.style.color = `var(--${name})`
    return getComputedStyle(sample).color
  }
  const found = {
    accent: read('accent'),
    wash: read('wash'),
    line: read('line'),
    soft: read('soft'),
    ground: read('panel'),
    good: read('good'),
    bad: read('bad'),
  }
  sample.remove()
  return found
}

/** Calls `act` when the page turns light or dark. */
export function onTheme(act: () => void): () => void {
  const isDark = matchMedia('(prefers-color-scheme: dark)')
  const chosen = new MutationObserver(act)
  isDark.addEventListener('change', act)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    isDark.removeEventListener('change', act)
    chosen.disconnect()
  }
}
