import type { Uses } from '../../../../api/http/services.ts'
import type { Address, Hex } from '../../../../base/kernel/assets.ts'
import { Problem } from '../../../../base/kernel/problem.ts'
import type { ListingPayment } from '../../../../base/protocols/evm/credential-market.ts'
import {
  type TransferAuthorization,
  VALIDITY_MARGIN_SECONDS,
} from '../../../../base/protocols/evm/eip3009/authorization.ts'
import { nowSecondsOf, readLatest } from '../../../../chain/client/read-latest.ts'
import type { Terms } from '../store.ts'

/** The card is frozen until its payment is over, so it must be soon. */
const MOST_SECONDS = 3_600n
const OFFERED_SECONDS = 1_800n
/** A block takes its time, and so does the node of the relayer. */
const LEAST_SECONDS = 10n * VALIDITY_MARGIN_SECONDS

export type SignedPayment = { authorization: TransferAuthorization; signature: Hex }

/** The payment that a buyer is asked to sign. */
export async function offeredPayment(
  { chain }: Uses<'chain'>,
  at: Date,
  { terms, buyer }: { terms: Terms; buyer: Address },
): Promise<TransferAuthorization> {
  const now = nowSecondsOf(await readLatest(chain), at)
  return {
    from: buyer,
    to: terms.market,
    value: terms.price,
    validAfter: 0n,
    validBefore: now + OFFERED_SECONDS,
    nonce: terms.hash,
  }
}

/** Refuses a payment of anything but this listing by this wallet, or at another time than now. */
export async function checkPayment(
  { chain }: Uses<'chain'>,
  at: Date,
  of: { terms: Terms; buyer: Address; signed: SignedPayment },
): Promise<ListingPayment> {
  const { terms, buyer, signed } = of
  const { from, to, value, validAfter, validBefore, nonce } = signed.authorization
  const differs = [
    ['from', from, buyer],
    ['to', to, terms.market],
    ['value', value, terms.price],
    ['nonce', nonce, terms.hash],
  ].find(([, given, wanted]) => String(given).toLowerCase() !== String(wanted).toLowerCase())
  if (differs) throw refused(`its ${String(differs[0])} must be ${String(differs[2])}`)
  const now = nowSecondsOf(await readLatest(chain), at)
  if (validAfter >= now) throw refused('it is not valid yet')
  if (validBefore < now + LEAST_SECONDS) throw refused('it has expired, or is about to')
  if (validBefore > now + MOST_SECONDS)
    throw refused('it is valid for more than an hour, and the card is frozen that long')
  return { buyer, validAfter, validBefore, signature: signed.signature }
}

const refused = (why: string): Problem =>
  new Problem(
    'authorization_rejected',
    `The authorization does not pay this listing: ${why}. Sign what GET /api/listings/{id}/buy/prepare answers.`,
    { param: 'authorization' },
  )
