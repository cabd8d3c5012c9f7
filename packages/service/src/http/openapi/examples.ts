import { readFileSync } from 'node:fs'
import type { OpenApiDocument } from './document.ts'

/** An answer that the service gave, and the body that it was asked with. */
export type Example = { status: number; request?: unknown; response: unknown }
/** By `operationId`: a success, and a refusal of the operation's own. */
export type Examples = Record<string, Example[]>

/** What `test/choose-examples.ts` recorded; read when a document is made, not when the service starts. */
export const recordedExamples = (): Examples =>
  JSON.parse(readFileSync(new URL('../examples.json', import.meta.url), 'utf8')) as Examples

/** Puts the recorded requests and answers into the document, each beside the schema that it is an example of. */
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
