import { readFileSync } from 'node:fs'
import { REQUIRED, renderBattery } from './battery/table.ts'
import { DESCRIBED_SHOPS, EXTENSIONS, SIGNATURES } from './extensions.ts'
import { FAILURES, PAYER_FAILURES, TILLS, type TillName } from './failures.ts'
import {
  CLIENTS,
  COLUMNS,
  columnOf,
  LEFT_OUT,
  PAIRINGS,
  PERMIT2_SERVERS,
  PROTOCOLS,
} from './matrix.ts'
import { CHECKS } from './mppx-checks.ts'

/** The official packages that the service is tested against. */
const COUNTERPARTIES = /^(@x402\/|mppx$)/

export const DOCUMENT = new URL('../docs/conformance.md', import.meta.url)

/** The counterparties' versions. They are pinned exactly, so the named version is the installed one. */
export function readVersions(): [name: string, version: string][] {
  const manifest = new URL('package.json', import.meta.url)
  const { devDependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    devDependencies: Record<string, string>
  }
  return Object.entries(devDependencies).filter(([name]) => COUNTERPARTIES.test(name))
}

/** `docs/conformance.md`, built from the lists that the tests run. It changes only when they do. */
export const renderDocument = (): string => `# Conformance

The service is tested against the official packages of x402 and MPP, as clients, servers, facilitator and checker.
\`npm run conformance\` runs all of it and writes this page; \`npm test\` runs it too. Every purchase is real, on a chain
of the run, and is counted where it left and where it arrived, on chain and in the books.

${table(['Package', 'Version'], readVersions())}

## mppx validate

\`mppx validate\` pays a pay link and looks at every answer. It must pass all of these:

${CHECKS.map((check) => `- ${check}`).join('\n')}

## Who pays whom

Each client buys from each server whose protocol it speaks. \`paywall\` is \`@purser/paywall\` before a handler of web standards, and on
each framework that it has an adapter for. Another party's server uses our facilitator
over HTTP; for our payer also that of \`@x402/core\` too.

${table(['Client', 'Protocol', ...COLUMNS], purchases())}

In a token of 18 decimals without EIP-3009, which the seller has registered, by Permit2 and settled by purser:

${table(['Client', ...PERMIT2_SERVERS], [['@x402/fetch', ...PERMIT2_SERVERS.map(() => 'paid')]])}

Not tried:

${LEFT_OUT.map((reason) => `- ${reason}`).join('\n')}

## Extensions of x402

Sellers made of these packages describe what they sell, and ask for identifiers, by the helpers of \`@x402/extensions\`.
Our facilitator settles for them.

${table(['', 'Required result', ...DESCRIBED_SHOPS], extensions())}

Signed offers and receipts (\`offer-receipt\`), written and read:

${table(['Signed by, and checked by', 'Required result'], Object.entries(SIGNATURES))}

## What goes wrong when we are paid

${table(['', 'Required result', ...TILLS], failures())}

## What goes wrong when we pay

${table(['', 'Required result'], Object.entries(PAYER_FAILURES))}

${renderBattery(REQUIRED, table)}
`

function purchases(): string[][] {
  return CLIENTS.flatMap((client) =>
    PROTOCOLS.map((protocol) => {
      const made = PAIRINGS.filter((pair) => pair.client === client && pair.protocol === protocol)
      const columns = made.map(columnOf)
      return [
        client,
        protocol,
        ...COLUMNS.map((column) => (columns.includes(column) ? 'paid' : '')),
      ]
    }),
  ).filter((row) => row.includes('paid'))
}

const extensions = (): string[][] =>
  Object.entries(EXTENSIONS).map(([name, promise]) => [
    name,
    promise,
    ...DESCRIBED_SHOPS.map(() => 'held'),
  ])

const failures = (): string[][] =>
  Object.entries(FAILURES).map(([name, promise]) => [
    name,
    promise,
    ...TILLS.map((_: TillName) => 'held'),
  ])

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
