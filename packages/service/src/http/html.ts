import { shownText } from '../kernel/shown-text.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for an element or a quoted attribute, without what would not be seen of it: see `shownText`. */
export const escapeHtml = (text: string): string =>
  shownText(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
