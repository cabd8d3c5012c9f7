import { posix } from 'node:path'

/** Files of the repository beside `docs/` that are pages too. */
export const ALSO = {
  'SECURITY.md': 'security.md',
  'examples/README.md': 'examples.md',
  'packages/sdk/README.md': 'packages/sdk.md',
  'packages/paywall/README.md': 'packages/paywall.md',
  'packages/mcp/README.md': 'packages/mcp.md',
  'packages/cli/README.md': 'packages/cli.md',
} as const
const OTHER_NAMES: Record<string, string> = {
  ...ALSO,
  '.env.example': 'settings.md',
  'docs/shell.sh': 'shell.md',
  'packages/sdk/CHANGELOG.md': 'changelog.md',
}
/** Documents that the service serves beside the site. */
const SERVED = ['openapi.json', 'llms.txt', 'llms-full.txt']

/** The page of a file of the repository. Undefined for one that is not on the site, such as a source. */
export const pageOf = (file: string): string | undefined =>
  OTHER_NAMES[file] ?? (/^docs\/.+\.(md|svg)$/.test(file) ? file.slice('docs/'.length) : undefined)

type Place = { page: string; anchor: string } | { served: string }

/**
 * The text with each relative link written by `write`. A link to a file that is not on the site becomes its text: the reader
 * of a page has no repository beside it.
 */
export function relink(text: string, file: string, write: (place: Place) => string): string {
  return outsideCode(text, (part) =>
    part.replace(
      /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\((?!https?:|mailto:|#|\/)([^)\s#]+)(#[^)\s]*)?\)/g,
      (...found) => {
        const [, picture = '', label = '', path = '', anchor = ''] = found as string[]
        const target = posix.join(posix.dirname(file), path)
        if (SERVED.includes(target)) return `[${label}](${write({ served: target })})`
        const page = pageOf(target)
        return page ? `${picture}[${label}](${write({ page, anchor })})` : label
      },
    ),
  )
}

/** Changes what stands outside of fenced blocks. */
export const outsideCode = (text: string, change: (part: string) => string): string =>
  text
    .split(/^(```[\s\S]*?^```$)/m)
    .map((part, i) => (i % 2 === 0 ? change(part) : part))
    .join('')

/** As VitePress reads it: it puts the site's own path before. */
export const siteLink = (place: Place): string =>
  'served' in place ? `/../${place.served}` : `/${place.page}${place.anchor}`

/** As a program follows it that was given the Markdown alone. */
export const plainLink = (place: Place): string =>
  'served' in place ? `/${place.served}` : `/docs/${place.page}${place.anchor}`
