import { escapeHtml } from '../../../api/http/html.ts'

const MARKUP = Symbol('markup')

/** Markup that goes into a page as it is. Only `html` and `trusted` make it, so everything else is escaped. */
export type Html = { readonly [MARKUP]: string }
type Value = string | number | Html | readonly Html[] | null | undefined | false

/**
 * A piece of a page. Every value in it is escaped for text and quoted attributes; nothing stands for null and false. A text
 * that is written from right to left does not turn what is around it.
 */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  let markup = strings[0] ?? ''
  values.forEach((value, i) => {
    const isApart = typeof value === 'string' && FROM_RIGHT.test(value) && isInText(markup)
    markup += (isApart ? markupOf(foreign(value)) : write(value)) + (strings[i + 1] ?? '')
  })
  return trusted(markup)
}

const FROM_RIGHT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/** Whether what follows is text in which an element may stand: not in a tag, nor in a title. */
const isInText = (markup: string): boolean =>
  markup.lastIndexOf('>') >= markup.lastIndexOf('<') &&
  !/<(?:title|textarea|option|style)\b[^>]*>[^<]*$/.test(markup)

/** A stranger's text in the text of a page, whose direction does not reach beyond it. Not for attributes or titles. */
export const foreign = (text: string): Html => trusted(`<bdi>${escapeHtml(text)}</bdi>`)

/** Marks what we made ourselves, such as an SVG of a QR code, as markup. Never for what a caller sent. */
export const trusted = (markup: string): Html => ({ [MARKUP]: markup })

export const markupOf = (piece: Html): string => piece[MARKUP]

function write(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  if (isPieces(value)) return value.map(markupOf).join('')
  return markupOf(value)
}

const isPieces = (value: Html | readonly Html[]): value is readonly Html[] => Array.isArray(value)
