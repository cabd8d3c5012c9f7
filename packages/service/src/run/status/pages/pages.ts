import type { OpenApiDocument, Operation, Schema } from '../../../api/http/openapi/shape.ts'

const TAG = 'Pages'
type Page = { id: string; summary: string; description: string; content: Record<string, string> }

/** Pages and texts that the service serves besides the API's routes. */
const PAGES: Record<string, Page> = {
  '/': {
    id: 'getRoot',
    summary: 'Start here',
    description: 'A page for a person with `Accept: text/html`, otherwise links as JSON.',
    content: { 'application/json': 'Links to what there is', 'text/html': 'The page' },
  },
  '/docs': {
    id: 'getDocs',
    summary: 'The documentation',
    description:
      'Guides and reference, to read. Each page is there as Markdown, too, e.g. `/docs/start.md` and `/docs/reference/postPay.md`.',
    content: { 'text/html': 'The page' },
  },
  '/llms.txt': {
    id: 'getLlmsTxt',
    summary: 'The documentation for language models',
    description:
      'How to use the service, with the address of each guide and operation in Markdown.',
    content: { 'text/plain': 'The text' },
  },
  '/llms-full.txt': {
    id: 'getLlmsFullTxt',
    summary: 'The whole documentation as one text',
    description: 'Every guide and operation, in Markdown.',
    content: { 'text/plain': 'The text' },
  },
  '/metrics': {
    id: 'getMetrics',
    summary: 'Figures for Prometheus',
    description: 'Answers 401 without the operator’s token, unless the metrics are open.',
    content: { 'text/plain': 'The figures, in the text format of Prometheus' },
  },
}

/** Adds the pages and texts to a document for readers. The SDK's types leave them out. */
export function addPages(document: OpenApiDocument): void {
  document.tags.push({ name: TAG })
  for (const [path, page] of Object.entries(PAGES))
    document.paths[path] = { get: operationOf(page) }
}

const operationOf = ({ id, summary, description, content }: Page): Operation => ({
  operationId: id,
  tags: [TAG],
  summary,
  description,
  security: [],
  responses: {
    200: {
      description: 'Success',
      content: Object.fromEntries(
        Object.entries(content).map(([type, says]) => [type, { schema: schemaOf(type, says) }]),
      ),
    },
  },
})

const schemaOf = (type: string, description: string): Schema => ({
  type: type === 'application/json' ? 'object' : 'string',
  description,
})
