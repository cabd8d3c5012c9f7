/** Attributes of geometry and paint that a logo is drawn by. */
const NAMES = new Set(
  [
    'd x y width height rx ry cx cy r x1 y1 x2 y2 points fx fy fr offset transform viewBox preserveAspectRatio',
    'fill fill-opacity fill-rule stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray',
    'stroke-dashoffset stroke-opacity opacity color display visibility clip-path clip-rule mask mask-type stop-color stop-opacity',
    'gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits paint-order vector-effect id',
  ].flatMap((line) => line.split(' ')),
)

const ID = /^[\w:.-]{1,100}$/
/** A reference to a part of the same picture. */
const LOCAL = /url\(\s*(["']?)#[\w:.-]{1,100}\1\s*\)/g
/** Numbers, words, colors and functions of them. No colon, no backslash and no quote: nothing that could name an address. */
const PLAIN = /^[\w\s.,#%()+-]*$/

/** The value as it is written anew; undefined for an attribute that is left out, false for one that is refused. */
export function writtenValue(name: string, value: string): string | false | undefined {
  if (!NAMES.has(name)) return undefined
  if (name === 'id') return ID.test(value) ? value : undefined
  const rest = value.replace(LOCAL, '')
  if (!PLAIN.test(rest) || /\burl\b|\bimage|\bvar\b|\battr\b|\belement\b/i.test(rest)) return false
  return value.replaceAll(/\s+/g, ' ').replaceAll(/["']/g, '')
}

/** The declarations of a style attribute, as pairs of a property and its value. */
export const readStyle = (style: string): [property: string, value: string][] =>
  style.split(';').flatMap((declaration) => {
    const [property = '', ...value] = declaration.split(':')
    return value.length === 0
      ? []
      : [
          [
            property.trim().toLowerCase(),
            value
              .join(':')
              .replace(/!important/i, '')
              .trim(),
          ],
        ]
  })
