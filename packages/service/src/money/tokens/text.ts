/**
 * A token's name, made safe to show: without control, format and other invisible characters, with single spaces, and
 * cut to a length. Undefined if nothing is left.
 */
export function plainText(text: string | undefined, most: number): string | undefined {
  // Normalize compatibility forms first: they become the ordinary letters that they stand for.
  const shown = (text ?? '')
    .normalize('NFKC')
    .replaceAll(/[\p{C}\p{Z}\uFFFD]+/gu, ' ')
    .trim()
  const cut = Array.from(shown).slice(0, most).join('').trim()
  return cut === '' ? undefined : cut
}
