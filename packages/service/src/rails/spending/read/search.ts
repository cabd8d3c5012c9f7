import type { Caller } from '../../../api/http/caller.ts'
import type { Reader } from '../../../base/db/sql.ts'
import { type Amount, amount } from '../../../base/kernel/money.ts'
import { findLink, linksSaying } from '../../../links/link/store.ts'
import { isCalled } from '../../../links/profile/store-names.ts'
import {
  byAmount,
  idsWithin,
  listFound,
  readThrough,
  rowsSaying,
} from '../../../money/cards/lists/store-found.ts'
import type { ShownTransaction, TransactionFilter } from '../../../money/cards/transactions.ts'
import { settlementsOfLink, settlementsOfLinks } from '../../../money/settlements/store.ts'
import { findOwn } from './reference.ts'

/** So many payments of a link are looked through where a filter or the caller wants few of them. */
const MOST_OF_LINK = 2_000
/** So many links that say something are looked through for their payments. */
const MOST_LINKS = 200
const ID = /^[a-z]{3}_[0-9a-z]{26,27}$|^0x[0-9a-f]{64}$/
const CODE = /^PL_[0-9A-Z]{10}$/
const AMOUNT = /^(\d{1,60})(?:[.,](\d{1,18}))?$/
/** Most tokens that a payment to a DIRECT card comes in have so many. */
const TOKEN_DECIMALS = 18

/** The caller's payments of a link, by its code: what it paid for it, and what its cards received by it. */
export async function listOfLink(
  on: Reader,
  filter: TransactionFilter,
  code: string,
): Promise<ShownTransaction[]> {
  const link = await findLink(on, code)
  if (!link) return []
  const { walletAddress, cardId, cardIds, status, direction, protocol } = filter
  const isWhole = [cardId, cardIds ?? undefined, status, direction, protocol].every(
    (value) => value === undefined,
  )
  const isOwn = link.walletAddress === walletAddress
  const limit = isWhole && isOwn ? filter.limit + 1 : MOST_OF_LINK
  const range = { ...idsWithin('stl', filter), limit }
  return listFound(on, filter, {
    settlements: [settlementsOfLink(link.id, range)],
    rows: [],
  })
}

/**
 * The caller's payments that a text names, as `listTransactions`: by an id, the code of a link, an amount as it is shown, or words of payee and memo.
 * All that is read are hits, but for links of other wallets, which are looked for among the newest payments.
 */
export async function searchPayments(
  on: Reader,
  caller: Caller,
  { search, decimals, ...filter }: TransactionFilter & { search: string; decimals: number },
): Promise<ShownTransaction[]> {
  const text = search.trim()
  const { after } = filter
  if (ID.test(text.toLowerCase()))
    return (await findOwn(on, caller, text.toLowerCase())).filter(({ id }) => !after || id < after)
  if (CODE.test(text.toUpperCase())) return listOfLink(on, filter, text)
  const amounts = byAmount(filter, unitsOf(text, decimals))
  const links = linksSaying(filter.walletAddress, { words: text, limit: MOST_LINKS })
  return listFound(on, filter, {
    settlements: [
      ...amounts.settlements,
      settlementsOfLinks(links, { ...idsWithin('stl', filter), limit: MOST_OF_LINK }),
      ...readThrough(filter, text, (payee) => isCalled(payee, text)),
    ],
    rows: [...amounts.rows, rowsSaying(filter, text)],
  })
}

/** Base units that a number may mean, by the decimals of the tokens in which cards are paid. */
function unitsOf(text: string, decimals: number): Amount[] {
  const [, whole, part = ''] = AMOUNT.exec(text) ?? []
  if (whole === undefined) return []
  const digits = part.replace(/0+$/, '')
  return [...new Set([decimals, TOKEN_DECIMALS])]
    .filter((places) => digits.length <= places)
    .map((places) => amount(BigInt(whole + digits.padEnd(places, '0'))))
}
