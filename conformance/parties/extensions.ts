import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** As the official servers bring it along: a seller's own helpers have to be of the same version. */
const asExpressHas = createRequire(import.meta.resolve('@x402/express'))
export const bazaar: typeof import('@x402/extensions/bazaar') =
  asExpressHas('@x402/extensions/bazaar')
export const identifiers: typeof import('@x402/extensions/payment-identifier') = asExpressHas(
  '@x402/extensions/payment-identifier',
)

const MAIN = asExpressHas.resolve('@x402/extensions')
/** The version of `@x402/extensions`. Its manifest stands beside `dist/cjs/index.js`, and is not exported. */
export const { version: extensionsVersion } = JSON.parse(
  readFileSync(join(dirname(MAIN), '../../package.json'), 'utf8'),
) as { version: string }
