const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for an element or a quoted attribute, without what would not be seen of it. */
export const escapeHtml = (text: string): string =>
  shownText(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/**
 * Controls, overrides of direction, and other signs of which nothing is seen, in a text that people are shown: they hide or
 * reorder what stands beside them. Line breaks and tabs stay, joiners and the color of emoji, and the number signs of Arabic.
 */
const UNSHOWN =
  /(?!\u200c|\u200d|\ufe0f|[\n\t\u0600-\u0605\u06dd])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu
const BREAKS = /[\u2028\u2029]/g

/** A stranger's text without what would not be seen, or would turn what is around it. */
const shownText = (text: string): string => text.replace(UNSHOWN, '').replace(BREAKS, ' ')
