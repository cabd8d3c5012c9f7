import type { Answer } from '../../api/http/route.ts'
import { functionName } from '../../chain/client/explore/functions.ts'
import type { ShownTransaction } from '../../chain/client/explore/transaction.ts'
import { type Html, html } from '../../links/pay-links/pieces/html.ts'
import { logsOf } from './logs.ts'
import { nameOf, type Site } from './names.ts'
import { addressLink, facts, page, shownAmount, timeOf } from './page.ts'

const ETH_DECIMALS = 18

/** The page of a transaction, with its logs in words. */
export function transactionPage(site: Site, shown: ShownTransaction): Answer {
  const { hash, from, to, wei, selector, mined } = shown
  const created = mined?.created
  const main = html`${facts([
    ['Status', mined ? (mined.succeeded ? 'Success' : 'Failed') : 'Waiting for a block'],
    ['Hash', html`<code>${hash}</code>`],
    ['From', addressLink(from, nameOf(site, from))],
    ['To', to ? addressLink(to, nameOf(site, to)) : 'A new contract'],
    ['New contract', created ? addressLink(created, nameOf(site, created)) : undefined],
    ['Function', selector === '' ? undefined : functionOf(selector)],
    ['ETH', shownAmount(wei, ETH_DECIMALS)],
    ['Block', mined ? String(mined.blockNumber) : undefined],
    ['Time', mined ? timeOf(mined.at) : undefined],
    ['Gas used', mined ? shownAmount(mined.gasUsed, 0) : undefined],
  ])}
${mined && logsOf(site, mined)}`
  return page(200, 'Transaction', main)
}

function functionOf(selector: string): Html {
  const name = functionName(selector)
  return html`${name && `${name} `}<code>${selector}</code>`
}
