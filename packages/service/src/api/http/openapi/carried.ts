import { assert } from '../../../base/kernel/assert.ts'
import type { Carried } from '../route.ts'
import { plain } from './plain.ts'
import type { Operation, Schema } from './shape.ts'

/** Adds other media types and headers to the operation's answers. */
export function addCarried(
  responses: Operation['responses'],
  carried: Record<number, Carried> = {},
): void {
  for (const [status, { content = {}, headers = {} }] of Object.entries(carried)) {
    const response = responses[status]
    assert(response && !('$ref' in response), `the operation has no ${status} of its own`)
    for (const [name, description] of Object.entries(headers))
      response.headers = { ...response.headers, [name]: textHeader(description) }
    for (const [type, schema] of Object.entries(content)) {
      // An error of ours may come with the same status.
      const ours = response.content?.[type]?.schema
      const all = ours ? { anyOf: [plain(schema), ours] } : plain(schema)
      response.content = { ...response.content, [type]: { schema: all } }
    }
  }
}

const textHeader = (description: string): Schema => ({ description, schema: { type: 'string' } })
