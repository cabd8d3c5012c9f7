import { Problem } from '../../base/kernel/problem.ts'

/** The grounds on which the color is seen, by day and by night: `ground` and `panel` of the design's tokens. */
export const GROUNDS = { light: ['#ffffff', '#f6f7f9'], dark: ['#101318', '#181c23'] } as const

/** The least contrast of a control with what is around it (WCAG 1.4.11). */
const LEAST = 3

/**
 * The color as `#rrggbb`. Refuses one that a payer could not tell from the page, by day or by night. Text on it is black or white,
 * whichever is read better: that is always 4.5 or more.
 */
export function readAccent(text: string): string {
  const color = text.toLowerCase()
  for (const [theme, grounds] of Object.entries(GROUNDS)) {
    const worst = Math.min(...grounds.map((ground) => contrast(color, ground)))
    if (worst < LEAST)
      throw new Problem(
        'invalid_field',
        `accent has a contrast of ${worst.toFixed(1)} with the ${theme} page; it must have ${LEAST} or more there. Choose a ${theme === 'light' ? 'darker' : 'lighter'} color.`,
        { param: 'accent' },
      )
  }
  return color
}

/** Black or white, whichever is read better on the color. */
export const textOn = (color: string): '#000000' | '#ffffff' =>
  contrast(color, '#ffffff') >= contrast(color, '#000000') ? '#ffffff' : '#000000'

/** The contrast of two colors as WCAG 2 defines it, from 1 to 21. */
export function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
