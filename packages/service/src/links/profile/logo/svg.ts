import { SaxesParser, type SaxesTagNS } from 'saxes'
import { escapeHtml } from '../../../api/http/html.ts'
import { readStyle, writtenValue } from './svg-values.ts'

const SVG = 'http://www.w3.org/2000/svg'
const XLINK = 'http://www.w3.org/1999/xlink'
const NONE = ''

const SHAPES = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon']
const GRADIENTS = ['linearGradient', 'radialGradient']
const DRAWN = new Set(['svg', 'g', 'defs', 'stop', 'clipPath', 'mask', ...SHAPES, ...GRADIENTS])
/** Elements that say something about the picture, and are no part of it: left out with all that is in them. */
const SAID = new Set(['title', 'desc', 'metadata'])
/** Elements whose content may not be clipped again: each level would multiply the work of who draws it. */
const CLIPPING = ['clipPath', 'mask']
const MOST_CLIPPED = 64
const MOST_ELEMENTS = 4_000
const DEEPEST = 32

/** Why a picture is not taken: the words follow "the SVG". */
class Unwanted extends Error {
  override readonly name = 'Unwanted'
}

/**
 * The picture written anew of a short list of shapes, gradients and their attributes. What only describes is left out; what could act,
 * load or be read as a page is refused. Returns what is wrong as a text.
 */
export function cleanSvg(text: string): string | { wrong: string } {
  const writer = new Writer()
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', () => {
    throw new Unwanted('is not well-formed XML')
  })
  parser.on('doctype', (type) => {
    if (type.includes('[')) throw new Unwanted('declares entities')
  })
  parser.on('opentag', (tag) => writer.open(tag))
  parser.on('closetag', () => writer.close())
  try {
    parser.write(text).close()
  } catch (error) {
    if (error instanceof Unwanted) return { wrong: error.message }
    throw error
  }
  return writer.written
}

class Writer {
  written = ''
  #open: string[] = []
  /** How deep we are in an element that is left out; 0: not in one. */
  #left = 0
  #elements = 0
  #clipped = 0

  open(tag: SaxesTagNS): void {
    const { uri, local, attributes } = tag
    if (this.#left > 0 || (uri !== SVG && this.#open.length > 0) || SAID.has(local)) {
      this.#left += 1
      refuseActs(tag)
      return
    }
    const isRoot = this.#open.length === 0
    if (uri !== SVG || isRoot !== (local === 'svg') || !DRAWN.has(local))
      throw new Unwanted(isRoot ? 'does not begin with <svg> of SVG' : `holds <${local}>`)
    this.#elements += 1
    if (this.#elements > MOST_ELEMENTS) throw new Unwanted(`has more than ${MOST_ELEMENTS} shapes`)
    if (this.#open.length >= DEEPEST) throw new Unwanted('is nested too deeply')
    const kept = this.#attributesOf(local, Object.values(attributes))
    if (isRoot) kept.set('viewBox', frameOf(kept))
    if (isRoot) for (const name of ['width', 'height', 'x', 'y']) kept.delete(name)
    const space = isRoot ? ` xmlns="${SVG}"` : ''
    const shown = [...kept].map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    this.written += `<${local}${space}${shown.join('')}>`
    this.#open.push(local)
  }

  close(): void {
    if (this.#left > 0) this.#left -= 1
    else this.written += `</${this.#open.pop()}>`
  }

  #attributesOf(element: string, given: SaxesTagNS['attributes'][string][]): Map<string, string> {
    const kept = new Map<string, string>()
    for (const { uri, local, name, value } of given) {
      refuseHandler(name)
      if (local === 'href' && (uri === NONE || uri === XLINK)) {
        if (!/^#[\w:.-]+$/.test(value)) throw new Unwanted('refers to something outside of it')
        if (GRADIENTS.includes(element)) kept.set('href', value)
      } else if (uri === NONE && local === 'style') {
        for (const [property, said] of readStyle(value)) this.#keep(kept, property, said)
      } else if (uri === NONE) this.#keep(kept, local, value)
    }
    return kept
  }

  #keep(kept: Map<string, string>, name: string, value: string): void {
    const written = writtenValue(name, value)
    if (written === undefined) return
    if (written === false) throw new Unwanted(`has a ${name} that is more than a drawing needs`)
    if (name === 'clip-path' || name === 'mask') {
      this.#clipped += 1
      if (this.#open.some((one) => CLIPPING.includes(one)) || this.#clipped > MOST_CLIPPED)
        throw new Unwanted('is clipped or masked too often')
    }
    kept.set(name, written)
  }
}

/** An element that is left out may not hide that somebody has put a program into the file. */
function refuseActs({ local, attributes }: SaxesTagNS): void {
  if (/^(script|foreignObject|iframe|object|embed)$/i.test(local))
    throw new Unwanted(`holds <${local}>`)
  for (const name of Object.keys(attributes)) refuseHandler(name)
}

function refuseHandler(name: string): void {
  if (/^on/i.test(name)) throw new Unwanted(`holds ${name}, which could act`)
}

/** The part of the plane that the picture shows: `viewBox`, or else width and height. */
function frameOf(root: ReadonlyMap<string, string>): string {
  const given = root
    .get('viewBox')
    ?.trim()
    .split(/[\s,]+/)
    .map(Number)
  const sides = [root.get('width'), root.get('height')].map((side) => Number.parseFloat(side ?? ''))
  const frame = given ?? [0, 0, ...sides]
  const [, , width = 0, height = 0] = frame
  if (frame.length !== 4 || !frame.every(Number.isFinite) || width <= 0 || height <= 0)
    throw new Unwanted('has neither a viewBox nor a width and height')
  return frame.join(' ')
}
