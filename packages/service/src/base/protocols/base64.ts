/** In the standard alphabet or in that of URLs, with padding or without. */
const BASE64 = /^(?:[A-Za-z0-9+/]*|[A-Za-z0-9_-]*)(={0,2})$/

/**
 * The bytes of a text that peers write in either alphabet, padded or not; `undefined` for any other text, and for bits
 * that belong to no byte. Several texts have the same bytes, so nothing may be identified by the text.
 */
export function decodeBase64(value: string): Buffer | undefined {
  const padding = BASE64.exec(value)?.[1]
  if (padding === undefined || (padding !== '' && value.length % 4 !== 0)) return undefined
  const text = value.slice(0, value.length - padding.length)
  const bytes = Buffer.from(text, 'base64')
  const written = bytes.toString('base64url')
  return written === text.replaceAll('+', '-').replaceAll('/', '_') ? bytes : undefined
}
