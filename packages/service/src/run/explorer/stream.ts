import type { Answer } from '../../api/http/route.ts'
import type { Services } from '../../api/http/services.ts'
import { readShownStream } from '../../chain/client/explore/stream.ts'
import { readShownToken } from '../../chain/client/explore/token.ts'
import { MINI_LOCKUP } from '../../chain/client/markets/lockups.ts'
import { type Html, html } from '../../links/pay-links/pieces/html.ts'
import { plainText } from '../../money/tokens/text.ts'
import { nameOf, readSite } from './names.ts'
import { addressLink, facts, missing, page, shownAmount, timeOf, tokenLink } from './page.ts'

const SYMBOL_MAX = 32

/** The page of a vesting stream: its schedule, and what of it is free. */
export async function streamPage(services: Services, streamId: bigint): Promise<Answer> {
  const { chain } = services
  const stream = await readShownStream(chain, streamId)
  if (!stream) return missing('stream of this id')
  const [token, site] = await Promise.all([readShownToken(chain, stream.token), readSite(services)])
  const symbol = plainText(token?.symbol, SYMBOL_MAX)
  const amount = (units: bigint): Html | string =>
    token?.decimals === undefined
      ? `${units} base units`
      : html`<bdi dir="ltr">${shownAmount(units, token.decimals)} ${symbol ?? ''}</bdi>`
  const main = html`${facts([
    ['Stream', String(streamId)],
    ['Lockup', addressLink(MINI_LOCKUP, nameOf(site, MINI_LOCKUP))],
    ['Token', tokenLink(stream.token, symbol ?? stream.token)],
    ['Recipient', addressLink(stream.recipient, nameOf(site, stream.recipient))],
    ['Locked at first', amount(stream.deposited)],
    ['Still locked', amount(stream.deposited - stream.withdrawn - stream.withdrawable)],
    ['Withdrawn', amount(stream.withdrawn)],
    ['Can be withdrawn now', amount(stream.withdrawable)],
    ['Starts', timeOf(stream.startsAt)],
    ['Ends', timeOf(stream.endsAt)],
  ])}
<p>It becomes free bit by bit, from start to end. Nobody can cancel it or hand it on.</p>`
  return page(200, 'Vesting stream', main)
}
