import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../base/kernel/problem.ts'
import { fastifyPath } from './route.ts'

const BYTES_MAX = 16 * 1024
const FIELDS_MAX = 32

/**
 * Reads bodies of HTML forms on these paths (`/pay/{code}/paid`) into objects of strings. On other paths a form is
 * answered 415, so that no page of another site can post to the API. A field sent twice is refused as ambiguous.
 */
export function parseForms(app: FastifyInstance, paths: readonly string[]): void {
  const urls = new Set(paths.map(fastifyPath))
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: BYTES_MAX },
    async (request: FastifyRequest, body: string) => {
      const takesForms = urls.has(request.routeOptions.url ?? '')
      if (body === '') return takesForms ? {} : undefined
      if (!takesForms)
        throw new Problem('unsupported_media_type', 'Send the body as application/json.')
      const fields = [...new URLSearchParams(body)]
      // PostgreSQL cannot store NUL in text.
      if (fields.some((field) => field.some((text) => text.includes('\0'))))
        throw new Problem(
          'invalid_field',
          'Text may not hold the NUL character (%00). Leave it out.',
        )
      const names = new Set(fields.map(([name]) => name))
      if (names.size !== fields.length || fields.length > FIELDS_MAX)
        throw new Problem('invalid_request', 'Send each field of the form once.')
      return Object.fromEntries(fields)
    },
  )
}
