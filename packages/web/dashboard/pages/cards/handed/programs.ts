/** A card as an agent gets it. Without a key of its own the agent shows the token of the card. */
export type Handed = { id: string; token: string; apiKey: string | undefined }
type Place = { service: string; url: string; most: string }

/** The way to spend with a card, for each kind of agent: whole, and right as it is. */
export const programs = (
  { id, token, apiKey = token }: Handed,
  { service, url, most }: Place,
): readonly (readonly [name: string, text: string])[] => [
  [
    'curl',
    `curl -sS '${service}/api/pay' \\
  -H 'Authorization: Bearer ${apiKey}' \\
  -H 'Content-Type: application/json' \\
  -d '{
    "card_id": "${id}",
    "card_token": "${token}",
    "url": "${url}",
    "method": "GET",
    "max_amount": "${most}"
  }'
`,
  ],
  [
    'TypeScript',
    `// npm install @purser/sdk
import { createPurser } from '@purser/sdk'

const purser = createPurser({
  baseUrl: '${service}',
  apiKey: '${apiKey}',
})
const card = {
  id: '${id}',
  token: '${token}',
}
const paid = await purser.pay(card, {
  url: '${url}',
  method: 'GET',
  max_amount: '${most}',
})
console.log(paid.outcome, paid.response?.body)
`,
  ],
  [
    'Python',
    `import json
from urllib.request import Request, urlopen

order = {
    "card_id": "${id}",
    "card_token": "${token}",
    "url": "${url}",
    "method": "GET",
    "max_amount": "${most}",
}
headers = {
    "Authorization": "Bearer ${apiKey}",
    "Content-Type": "application/json",
}
asked = Request("${service}/api/pay", json.dumps(order).encode(), headers)
with urlopen(asked) as answer:
    paid = json.load(answer)
print(paid["outcome"], paid["response"]["body"])
`,
  ],
  [
    'MCP',
    `${JSON.stringify(
      {
        mcpServers: {
          purser: {
            type: 'http',
            url: `${service}/mcp`,
            headers: {
              Authorization: `Bearer ${apiKey}`,
              ...(apiKey !== token && { 'Purser-Card-Token': token }),
            },
          },
        },
      },
      null,
      2,
    )}\n`,
  ],
]
