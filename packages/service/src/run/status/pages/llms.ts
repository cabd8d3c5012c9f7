import { isPublic, operationsOf } from '../../../api/http/openapi/read.ts'
import type { OpenApiDocument } from '../../../api/http/openapi/shape.ts'

/**
 * Everything that a language model needs to use the service: the terms in brief, then every operation with its link.
 */
export function llmsText(document: OpenApiDocument, baseUrl: string): string {
  const groups = document.tags.map(({ name }) => {
    const lines = operationsOf(document)
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ method, path, operation }) => {
        const access = isPublic(operation) ? 'public' : 'key'
        const link = `[${method.toUpperCase()} ${path}](${baseUrl}/docs#${operation.operationId})`
        return `- ${link}: ${operation.summary} (${access})`
      })
    return `## ${name}\n\n${lines.join('\n')}`
  })
  const [summary, ...terms] = document.info.description.split('\n\n')
  return `# ${document.info.title}

> ${summary}

Base URL: ${baseUrl}

${terms.join('\n\n')}

An agent that should buy something from a paid API needs a card (\`POST /api/issue\`, which answers the card's id and token) and then one call: \`POST /api/pay\` with \`card_id\`, \`card_token\` and the \`url\`. An agent with a client of its own pays any pay link at \`${baseUrl}/pay/{code}\`: the 402 there is x402 (\`PAYMENT-REQUIRED\`) and MPP (\`WWW-Authenticate: Payment\`, methods \`evm\` and \`agentcard\`) at once; \`POST /api/mpp/agentcard\` gives the credential by which a card pays such a challenge. A server that sells by x402 with the official packages takes \`${baseUrl}/api/x402\` as its facilitator; settling needs a key with the scope \`facilitator:write\`. An agent that speaks MCP has the same as tools at \`${baseUrl}/mcp\` (streamable HTTP, revision 2026-07-28 and those of 2025): send an API key or a card's token as \`Authorization: Bearer\`, and beside a key the card's token as \`Purser-Card-Token\`. Try a payment without moving money with \`POST /api/pay/simulate\`.

## Reference

- [OpenAPI 3.1 document](${baseUrl}/openapi.json): every operation with its schemas
- [API reference](${baseUrl}/docs): the same for people, with examples
- [Status](${baseUrl}/api/status): which protocols this release speaks

${groups.join('\n\n')}
`
}
