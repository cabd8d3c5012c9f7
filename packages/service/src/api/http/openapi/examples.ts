import { readFileSync } from 'node:fs'
import { PACKAGE } from '../../../places.ts'
import type { OpenApiDocument } from './shape.ts'

/** A recorded answer of the service, with the body of its request. */
export type Example = { status: number; request?: unknown; response: unknown }
/** By `operationId`: a success, and a refusal that is specific to the operation. */
export type Examples = Record<string, Example[]>

/** The examples that `test/run/choose-examples.ts` recorded. Read when a document is made, not when the service starts. */
export const recordedExamples = (): Examples =>
  JSON.parse(readFileSync(new URL('src/api/http/examples.json', PACKAGE), 'utf8')) as Examples

/** Adds the recorded requests and answers to the document, each as an example of its schema. */
export function addExamples(document: OpenApiDocument, examples: Examples): void {
  for (const methods of Object.values(document.paths))
    for (const { operationId, requestBody, responses } of Object.values(methods))
      for (const { status, request, response } of examples[operationId] ?? []) {
        const answered = responses[status]
        const content = answered && 'content' in answered && answered.content?.['application/json']
        if (!content) continue
        content.example = response
        const asked = requestBody?.content['application/json']
        if (asked && status < 300 && request !== undefined) asked.example ??= request
      }
}
