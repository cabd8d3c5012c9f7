import type { Answer } from '../../api/http/route.ts'
import type { Services } from '../../api/http/services.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { findCardOfHolder } from '../../business/identity/store.ts'
import type { Chain } from '../../chain/client/chain.ts'
import { readShownAccount, type ShownAccount } from '../../chain/client/explore/account.ts'
import { readBalances } from '../../chain/client/explore/token.ts'
import { foreign, html } from '../../links/pay-links/pieces/html.ts'
import { nameOf, readSite, type Site } from './names.ts'
import { addressLink, facts, page, shownAmount, tokenLink } from './page.ts'

const ETH_DECIMALS = 18

/** The page of an address: the account, and its balances of the tokens that the service knows. */
export async function addressPage(services: Services, address: Address): Promise<Answer> {
  const { chain, db } = services
  const site = await readSite(services)
  const { tokens } = site
  const [account, cardId, balances] = await Promise.all([
    readShownAccount(chain, address),
    findCardOfHolder(db.reader, address),
    readBalances(
      chain,
      address,
      tokens.map((token) => token.address),
    ),
  ])
  const held = tokens.flatMap(({ address: token, symbol, decimals }, i) => {
    const balance = balances[i]
    if (balance === 0n && i > 0) return []
    const text = balance === undefined ? 'does not answer' : shownAmount(balance, decimals)
    return [html`<div><dt>${tokenLink(token, symbol)}</dt><dd>${text}</dd></div>`]
  })
  const known = nameOf(site, address)
  const main = html`${facts([
    ['Address', html`<code>${address}</code>`],
    ['Known as', known === undefined ? undefined : foreign(known)],
    ['Holder account of', cardId && html`<code>${cardId}</code>`],
    ['Kind', kindOf(chain, account, cardId !== undefined)],
    ['Identity token', account.boundTo && identityOf(site, account.boundTo)],
    ['ETH', shownAmount(account.wei, ETH_DECIMALS)],
    ['Nonce', String(account.nonce)],
  ])}
<h2>Tokens</h2>
<dl>${held}</dl>`
  return page(200, 'Address', main)
}

function kindOf(chain: Chain, { hasCode, boundTo }: ShownAccount, isHolder: boolean): string {
  if (!hasCode)
    return isHolder ? 'Holder account that nobody has deployed yet' : 'Account without code'
  if (!boundTo) return 'Contract'
  const isHere = boundTo.chainId === BigInt(chain.chainId)
  return `Holder account of an identity token (ERC-6551)${isHere ? '' : ' of another chain'}`
}

const identityOf = (site: Site, { registry, tokenId }: NonNullable<ShownAccount['boundTo']>) =>
  html`${String(tokenId)} of ${addressLink(registry, nameOf(site, registry))}`
