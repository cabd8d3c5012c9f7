import type { ShownLog } from '../../chain/client/explore/transaction.ts'
import { MINI_LOCKUP } from '../../chain/client/markets/lockups.ts'
import { defaultAsset } from '../../chain/client/rails.ts'
import { asAddress } from '../../chain/client/reads.ts'
import { foreign, type Html, html } from '../../links/pay-links/pieces/html.ts'
import { nameOf, type Site } from './names.ts'
import { addressLink, facts, shownAmount } from './page.ts'

const VALUE_SHOWN = 400
/** Arguments of events that count base units of a token: of the one that the event names, or that logs it. */
const AMOUNTS = /(^|\.)(value|amount|depositAmount)$/
const TOKEN = /(^|\.)token$/
/** A sale is paid in the service's asset. */
const PRICES = /^(price|fee)$/

/** The first logs of a transaction in words, and how many more there are. */
export function logsOf(
  site: Site,
  { logs, logCount }: { logs: readonly ShownLog[]; logCount: number },
): Html {
  const rest = logCount - logs.length
  return html`<h2>Logs: ${logCount}</h2>
${logs.map((log) => logOf(site, log))}
${rest > 0 && html`<p>${rest} more are not shown.</p>`}`
}

function logOf(site: Site, { address, event, raw }: ShownLog): Html {
  const by: [string, Html] = ['By', addressLink(address, nameOf(site, address))]
  if (!event)
    return html`<section><h3>A log that this page has no words for</h3>${facts([
      by,
      ...raw.map((text, i): [string, Html] => [
        i < raw.length - 1 ? `Topic ${i}` : 'Data',
        html`<code>${text}</code>`,
      ]),
    ])}</section>`
  const args = event.args.flatMap(flat)
  const named = args.find(([name]) => TOKEN.test(name))?.[1] ?? address
  const token = site.tokens.find((one) => one.address === named)
  const isStream = address === MINI_LOCKUP
  const shown = args.map(([name, value]): [string, Html | string] => {
    if (typeof value === 'bigint' && token && AMOUNTS.test(name)) return [name, units(value, token)]
    if (typeof value === 'bigint' && event.name === 'Sold' && PRICES.test(name))
      return [name, units(value, defaultAsset(site.chain))]
    if (isStream && name === 'streamId')
      return [name, html`<a href="../streams/${String(value)}">${String(value)}</a>`]
    return [name, argumentOf(site, value)]
  })
  return html`<section><h3>${event.name}</h3>${facts([by, ...shown])}</section>`
}

const units = (value: bigint, { decimals, symbol }: { decimals: number; symbol: string }): Html =>
  html`<bdi dir="ltr">${shownAmount(value, decimals)} ${symbol}</bdi>`

/** The members of a struct, each by its own name. */
function flat([name, value]: readonly [string, unknown]): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, value]]
  return Object.entries(value).flatMap(([part, inner]) => flat([`${name}.${part}`, inner]))
}

/** Texts in logs are a stranger's, and may be long. */
function argumentOf(site: Site, value: unknown): Html {
  if (typeof value === 'string' && asAddress(value)) return addressLink(value, nameOf(site, value))
  const text =
    typeof value === 'object'
      ? JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner))
      : String(value)
  const signs = Array.from(text.slice(0, 2 * VALUE_SHOWN + 1))
  const cut = signs.length > VALUE_SHOWN ? `${signs.slice(0, VALUE_SHOWN).join('')}…` : text
  return html`<code>${foreign(cut)}</code>`
}
