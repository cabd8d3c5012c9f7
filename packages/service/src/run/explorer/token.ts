import type { Answer } from '../../api/http/route.ts'
import type { Services } from '../../api/http/services.ts'
import type { Address } from '../../base/kernel/assets.ts'
import { findLiveToken } from '../../business/crt-markets/store.ts'
import { findVesting } from '../../business/crt-markets/vesting/store.ts'
import { readShownToken } from '../../chain/client/explore/token.ts'
import { foreign, type Html, html } from '../../links/pay-links/pieces/html.ts'
import { plainText } from '../../money/tokens/text.ts'
import { nameOf, readSite } from './names.ts'
import { addressLink, facts, missing, page, shownAmount } from './page.ts'

const WORD_MAX = 100

/** The page of a token: its own words, its supply, and its market if it is a credential token. */
export async function tokenPage(services: Services, address: Address): Promise<Answer> {
  const { chain, db } = services
  const [token, market] = await Promise.all([
    readShownToken(chain, address),
    findLiveToken(db.reader, { network: chain.network, token: address }),
  ])
  if (!token) return missing('token at this address')
  const site = await readSite(services)
  const vesting = market && (await findVesting(db.reader, market.cardId))
  const id = String(vesting?.streamId)
  const { name, symbol, decimals, supply } = token
  const marketUrl = `../../api/crt-markets/${address}`
  const main = html`${facts([
    ['Contract', addressLink(address)],
    ['Name', saidBy(name)],
    ['Symbol', saidBy(symbol)],
    ['Decimals', decimals === undefined ? 'It does not say' : String(decimals)],
    ['Supply', supplyOf(supply, decimals)],
    ['Credential token of', market && html`<code>${market.cardId}</code>`],
    ['Created by', market && addressLink(market.creator, nameOf(site, market.creator))],
    ['Pool', market && html`<code>${market.poolId}</code>`],
    ['Market', market && html`${market.state}, <a href="${marketUrl}">as JSON</a>`],
    ['Locked part', vesting && html`<a href="../streams/${id}">vesting stream ${id}</a>`],
  ])}
<p>A token names itself: its name and symbol prove nothing.</p>`
  return page(200, 'Token', main)
}

/** A token's own word, which may be long and hold anything. */
function saidBy(text: string | undefined): Html | string {
  const word = plainText(text, WORD_MAX)
  return word === undefined ? 'It does not say' : foreign(word)
}

function supplyOf(supply: bigint | undefined, decimals: number | undefined): string {
  if (supply === undefined) return 'It does not say'
  return decimals === undefined ? `${supply} base units` : shownAmount(supply, decimals)
}
