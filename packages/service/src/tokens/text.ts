/**
 * What a token calls itself, made fit to be shown: without control, format and other invisible characters, with single
 * spaces, and cut to so many characters. Undefined where nothing is left.
 */
export function plainText(text: string | undefined, most: number): string | undefined {
  // Compatibility forms first: letters of other shapes become those that they stand for.
  const shown = (text ?? '')
    .normalize('NFKC')
    .replaceAll(/[\p{C}\p{Z}\uFFFD]+/gu, ' ')
    .trim()
  const cut = Array.from(shown).slice(0, most).join('').trim()
  return cut === '' ? undefined : cut
}
