import { Problem } from '../../base/kernel/problem.ts'
import { readsAs } from '../../money/tokens/names/glance.ts'
import { isOfOneScript, isOfToday } from '../../money/tokens/names/scripts.ts'

/** More marks on one letter than any language has: they cover the lines around them. */
const HEAP = /\p{M}{4}/u
/** Letters and marks of which nothing is seen, such as the Hangul filler, and the blank of Braille. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u{2800}]/u
/** Payers must not take a seller for the service that shows the page. */
const OURS = ['Purser', 'PurserPay', 'PurserCheckout', 'PurserSupport']
const MOST_CHARACTERS = 80

/** A seller's name with single spaces. Refuses what cannot be seen, mixes scripts that look alike, or reads as this service. */
export function readName(text: string): string {
  // Emoji come with a sign that asks for their color.
  const name = text.normalize('NFC').replaceAll('\u{fe0f}', '').trim().replaceAll(/ +/g, ' ')
  if (name === '') throw invalid('must hold a sign that can be seen. Send null to remove it')
  if (Array.from(name).length > MOST_CHARACTERS)
    throw invalid(`may have ${MOST_CHARACTERS} characters at most`)
  if (UNSEEN.test(name) || HEAP.test(name.normalize('NFD')))
    throw invalid('holds characters that cannot be printed')
  if (!isOfToday(name)) throw invalid('holds letters that look like others. Use plain ones')
  if (!name.split(/[\s\p{P}\p{S}]+/u).every(isOfOneScript))
    throw invalid('mixes letters of scripts that look alike in one word. Keep to one')
  if (readsAs(name, OURS)) throw invalid('reads as the name of this service. Choose another')
  return name
}

const invalid = (why: string): Problem =>
  new Problem('invalid_field', `name ${why}.`, { param: 'name' })
