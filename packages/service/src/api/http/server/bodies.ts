import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import {
  DEPTH_MAX,
  type JsonTextFault,
  scanJson,
  withExactNumbers,
} from '../../../base/kernel/json-text.ts'
import { Problem } from '../../../base/kernel/problem.ts'

/** Accepts only JSON. An empty body counts as no body, whatever its media type. */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(
    /^application\/(?:[\w.+-]+\+)?json(?:;|$)/i,
    { parseAs: 'buffer' },
    (request, bytes, done) => {
      if (!isUtf8(bytes)) return done(notUtf8())
      const text = bytes.toString('utf8')
      request.rawBody = text
      if (text.trim() === '') return done(null, undefined)
      if (text.includes('\\u0000')) return done(noNul())
      try {
        done(null, readJson(text))
      } catch (error) {
        done(error as Error)
      }
    },
  )
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_, bytes, done) => {
    done(bytes.length > 0 ? notJson() : null, undefined)
  })
}

/** The value of a JSON text. Throws a Problem for what cannot be stored, or could be read in two ways. */
function readJson(text: string): unknown {
  const value = parse(text)
  const { fault, isExact } = scanJson(text)
  if (fault) throw problemOf(fault)
  return isExact ? value : withExactNumbers(text)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Problem('invalid_json', 'The body is not valid JSON.', { cause: error })
  }
}

function problemOf({ kind, at: param }: JsonTextFault): Problem {
  switch (kind) {
    case 'twice':
      return new Problem('invalid_field', `${param} stands twice in the body. Send it once.`, {
        param,
      })
    case 'reserved':
      return new Problem('invalid_field', `${param} is a reserved name. Choose another.`, { param })
    case 'surrogate':
      return new Problem('invalid_field', 'Text may not hold half of a surrogate pair (\\ud800).')
    case 'deep':
      return new Problem('invalid_field', `The body nests more than ${DEPTH_MAX} levels deep.`)
  }
}

export const notJson = (): Problem =>
  new Problem('unsupported_media_type', 'Send the body as application/json.')

const notUtf8 = (): Problem =>
  new Problem('invalid_json', 'The body is not valid UTF-8. Send its text in that encoding.')

/** PostgreSQL's text cannot hold NUL, and no purpose or memo needs it. */
export const noNul = (): Problem =>
  new Problem('invalid_field', 'Text may not hold the NUL character (\\u0000). Leave it out.')
