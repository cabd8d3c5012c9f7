import { Problem } from '../../../base/kernel/problem.ts'
import { cleanPng, isPng } from './png.ts'
import { cleanSvg } from './svg.ts'

export type LogoFile = { type: 'image/png' | 'image/svg+xml'; bytes: Buffer }

export const LOGO_MAX_BYTES = 65_536
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The logo written anew, of a PNG or SVG in base64. The bytes decide which it is. Throws `invalid_field`. */
export async function readLogo(base64: string): Promise<LogoFile> {
  if (base64 === '' || !BASE64.test(base64)) throw invalid('must be a PNG or an SVG in base64')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > LOGO_MAX_BYTES)
    throw invalid(`has ${bytes.length} bytes; the most is ${LOGO_MAX_BYTES}`)
  return isPng(bytes) ? readPng(bytes) : readSvg(bytes)
}

async function readPng(bytes: Buffer): Promise<LogoFile> {
  const made = await cleanPng(bytes)
  if (typeof made === 'string') throw invalid(`is a PNG that ${made}`)
  return { type: 'image/png', bytes: made }
}

function readSvg(bytes: Buffer): LogoFile {
  const text = textOf(bytes)
  if (text === undefined || !/<(\w+:)?svg\b/.test(text))
    throw invalid('must be a PNG or an SVG in base64')
  const made = cleanSvg(text)
  if (typeof made !== 'string')
    throw invalid(
      `is an SVG that ${made.wrong}. Export it as plain shapes with presentation attributes, text as paths, or send a PNG`,
    )
  const written = Buffer.from(made)
  if (written.length > LOGO_MAX_BYTES) throw invalid(`is longer than ${LOGO_MAX_BYTES} bytes`)
  return { type: 'image/svg+xml', bytes: written }
}

/** The text of UTF-8 bytes; undefined if they are something else. */
function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

const invalid = (why: string): Problem =>
  new Problem('invalid_field', `logo ${why}.`, { param: 'logo' })
