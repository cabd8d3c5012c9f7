import type { ShownLog, ShownTransaction } from '../chain/explore/transaction.ts'
import { MINI_LOCKUP } from '../chain/markets/lockups.ts'
import { asAddress } from '../chain/reads.ts'
import type { Answer } from '../http/route.ts'
import { type Html, html } from '../pay-links/page/html.ts'
import { type KnownToken, nameOf, type Site } from './names.ts'
import { addressLink, facts, page, shownAmount, timeOf } from './page.ts'

const ETH_DECIMALS = 18
const VALUE_SHOWN = 400
/** Arguments of events that count a token's base units. */
const AMOUNTS = /^(value|amount)$/

/** The page of a transaction, with its logs in words. */
export function transactionPage(
  site: Site,
  shown: ShownTransaction,
  tokens: readonly KnownToken[],
): Answer {
  const { hash, from, to, wei, selector, mined } = shown
  const created = mined?.created
  const main = html`${facts([
    ['Status', mined ? (mined.succeeded ? 'Success' : 'Failed') : 'Waiting for a block'],
    ['Hash', html`<code>${hash}</code>`],
    ['From', addressLink(from, nameOf(site, from))],
    ['To', to ? addressLink(to, nameOf(site, to)) : 'A new contract'],
    ['New contract', created ? addressLink(created) : undefined],
    ['Function', selector ? html`<code>${selector}</code>` : undefined],
    ['ETH', shownAmount(wei, ETH_DECIMALS)],
    ['Block', mined ? String(mined.blockNumber) : undefined],
    ['Time', mined ? timeOf(mined.at) : undefined],
    ['Gas used', mined ? String(mined.gasUsed) : undefined],
  ])}
${mined && logsOf(site, mined, tokens)}`
  return page(200, 'Transaction', main)
}

function logsOf(
  site: Site,
  { logs, logCount }: { logs: ShownLog[]; logCount: number },
  tokens: readonly KnownToken[],
): Html {
  const rest = logCount - logs.length
  return html`<h2>Logs: ${logCount}</h2>
${logs.map((log) => logOf(site, log, tokens))}
${rest > 0 && html`<p>${rest} more are not shown.</p>`}`
}

function logOf(site: Site, { address, event, raw }: ShownLog, tokens: readonly KnownToken[]): Html {
  const token = tokens.find((one) => one.address === address)
  const by: [string, Html] = ['By', addressLink(address, nameOf(site, address) ?? token?.symbol)]
  if (!event)
    return html`<section><h3>A log that this page has no words for</h3>${facts([
      by,
      ...raw.map((text, i): [string, Html] => [
        i < raw.length - 1 ? `Topic ${i}` : 'Data',
        html`<code>${text}</code>`,
      ]),
    ])}</section>`
  const isStream = address === MINI_LOCKUP
  const args = event.args
    .flatMap(flat)
    .map(([name, value]): [string, Html | string] => [
      name,
      AMOUNTS.test(name) && token && typeof value === 'bigint'
        ? `${shownAmount(value, token.decimals)} ${token.symbol}`
        : isStream && name === 'streamId'
          ? html`<a href="../streams/${String(value)}">${String(value)}</a>`
          : argumentOf(site, value),
    ])
  return html`<section><h3>${event.name}</h3>${facts([by, ...args])}</section>`
}

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
  return html`<code>${text.length > VALUE_SHOWN ? `${text.slice(0, VALUE_SHOWN)}…` : text}</code>`
}
