import { isPublic, operationsOf } from '../../../api/http/openapi/read.ts'
import type { OpenApiDocument } from '../../../api/http/openapi/shape.ts'
import type { Guide } from './docs-site.ts'

/**
 * Where a language model begins: the terms in brief, then each guide and operation with its page in Markdown. Without guides
 * there are no pages, and operations are named only.
 */
export function llmsText(
  document: OpenApiDocument,
  baseUrl: string,
  guides: readonly Guide[] | undefined,
): string {
  const groups = document.tags.map(({ name }) => {
    const lines = operationsOf(document)
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ method, path, operation }) => {
        const access = isPublic(operation) ? 'public' : 'key'
        const name = `${method.toUpperCase()} ${path}`
        const page = `${baseUrl}/docs/reference/${operation.operationId}.md`
        return `- ${guides ? `[${name}](${page})` : name}: ${operation.summary} (${access})`
      })
    return `## ${name}\n\n${lines.join('\n')}`
  })
  const [summary, ...terms] = document.info.description.split('\n\n')
  return `# ${document.info.title}

> ${summary}

Base URL: ${baseUrl}

${terms.join('\n\n')}

An agent that should buy something from a paid API needs a card (\`POST /api/issue\`, which answers the card's id and token) and then one call: \`POST /api/pay\` with \`card_id\`, \`card_token\` and the \`url\`. An agent with a client of its own pays any pay link at \`${baseUrl}/pay/{code}\`: the 402 there is x402 (\`PAYMENT-REQUIRED\`) and MPP (\`WWW-Authenticate: Payment\`, methods \`evm\` and \`agentcard\`) at once; \`POST /api/mpp/agentcard\` gives the credential by which a card pays such a challenge. A server that sells by x402 with the official packages takes \`${baseUrl}/api/x402\` as its facilitator; settling needs a key with the scope \`facilitator:write\`. An agent that speaks MCP has the same as tools at \`${baseUrl}/mcp\` (streamable HTTP, revision 2026-07-28 and those of 2025): send an API key or a card's token as \`Authorization: Bearer\`, and beside a key the card's token as \`Purser-Card-Token\`. Try a payment without moving money with \`POST /api/pay/simulate\`.

## Documents

${guides ? `- [All of the documentation](${baseUrl}/llms-full.txt): every guide and operation as one text\n` : ''}- [OpenAPI 3.1 document](${baseUrl}/openapi.json): every operation with its schemas
- [Status](${baseUrl}/api/status): which protocols this release speaks

${guides ? `## Guides\n\n${guides.map((guide) => lineOf(guide, baseUrl)).join('\n')}\n` : ''}
${groups.join('\n\n')}
`
}

const lineOf = ({ page, title, about }: Guide, baseUrl: string): string =>
  `- [${title}](${baseUrl}/docs/${page})${about ? `: ${about}` : ''}`
