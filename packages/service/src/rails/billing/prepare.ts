import type { Uses } from '../../api/http/services.ts'
import type { Tx } from '../../base/db/sql.ts'
import { addHours } from '../../base/kernel/clock.ts'
import { newId } from '../../base/kernel/ids.ts'
import { parsePositiveAmount } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { openContentOf } from '../../base/protocols/ap2/issue/terms.ts'
import type { PublicJwk } from '../../base/protocols/ap2/jose/keys.ts'
import type { Frequency } from '../../base/protocols/ap2/read/constraints.ts'
import { exponentOf } from '../../base/protocols/ap2/read/currency.ts'
import type { JsonObject } from '../../base/protocols/json.ts'
import { newKeyPair } from '../../base/signing-keys/key-pair.ts'
import { assetOf } from '../../chain/client/rails.ts'
import { merchantOf } from '../../links/pay-links/methods/ap2/checkout.ts'
import { askedPrice } from '../../links/pay-links/methods/ap2/prices.ts'
import { type Cadence, periodAt } from '../../members/agreements/periods.ts'
import type { CardWithMoney } from '../../money/cards/card.ts'
import { readField } from '../ap2/read-field.ts'
import { insertPreparedKey, PREPARED_MAX } from './store.ts'
import type { Terms } from './terms.ts'

const KEPT_HOURS = 24
const LIFE_HOURS = 366 * 24
/** As long as any open mandate that the service signs. */
export const LIFE_MAX_HOURS = 5 * LIFE_HOURS

/** The limits that the payer may set on the open mandate. */
export type Limits = {
  maxOccurrences: number | undefined
  budget: number | string | undefined
  expiresInHours: number | undefined
}
type Prepared = { jwk: PublicJwk; kid: string; content: JsonObject; expiresAt: Date }

/** Makes a key for an agreement to come, and proposes the content of the open mandate that funds it. */
export async function prepareAgreement(
  tx: Tx,
  at: Date,
  of: {
    services: Uses<'chain' | 'sealKey' | 'settings'>
    card: CardWithMoney
    terms: Terms
    limits: Limits
  },
): Promise<Prepared> {
  const { services, card, terms, limits } = of
  const { jwk, kid, sealed } = newKeyPair(services.sealKey)
  const content = proposeContent(services, at, { card, terms, limits, jwk })
  const expiresAt = addHours(at, KEPT_HOURS)
  const { walletAddress: payerWallet, id: cardId } = card
  const key = { payerWallet, kid, cardId, sealed, createdAt: at, expiresAt }
  if (!(await insertPreparedKey(tx, key)))
    throw new Problem(
      'limit_reached',
      `${PREPARED_MAX} agreements are prepared and not made. Make one of them, or wait until they expire, a day after they were prepared.`,
    )
  return { jwk, kid, content, expiresAt }
}

function proposeContent(
  { settings, chain }: Uses<'chain' | 'settings'>,
  at: Date,
  of: { card: CardWithMoney; terms: Terms; limits: Limits; jwk: PublicJwk },
): JsonObject {
  const { card, terms, limits, jwk } = of
  const { amount, currency } = askedPrice(terms, assetOf(chain, card))
  const price = amount ?? 0n
  const expiresAt = addHours(at, limits.expiresInHours ?? LIFE_HOURS)
  const { merchant } = terms
  const payee =
    'link' in merchant
      ? merchantOf(merchant.link, settings.publicUrl)
      : { id: merchant.wallet, name: merchant.wallet }
  return readField('budget', () =>
    openContentOf({
      id: newId('mnd', at),
      agentKey: jwk,
      issuedAt: at,
      expiresAt,
      amountRange: { currency, min: price, max: price },
      payees: [payee],
      instruments: [{ id: card.id, type: 'card' }],
      budget: { amount: budgetOf({ terms, limits, currency, price, at, expiresAt }), currency },
      recurrence: {
        frequency: frequencyOf(cadenceIn(terms)),
        ...(limits.maxOccurrences !== undefined && { maxOccurrences: limits.maxOccurrences }),
      },
    }),
  )
}

const cadenceIn = ({ periodDays, periodMonths }: Terms): Cadence | undefined => {
  if (periodDays !== null) return { days: periodDays }
  return periodMonths === null ? undefined : { months: periodMonths }
}

/** The budget that was asked for, else what all charges come to. */
function budgetOf(of: {
  terms: Terms
  limits: Limits
  currency: string
  price: bigint
  at: Date
  expiresAt: Date
}): bigint {
  const { terms, limits, currency, price, at, expiresAt } = of
  if (limits.budget !== undefined) {
    const budget = parsePositiveAmount(limits.budget, exponentOf(currency), 'budget')
    if (budget < price)
      throw new Problem('invalid_amount', 'The budget does not cover one charge.', {
        param: 'budget',
      })
    return budget
  }
  const cadence = cadenceIn(terms)
  if (limits.maxOccurrences !== undefined) return price * BigInt(limits.maxOccurrences)
  if (!cadence)
    throw new Problem('missing_field', 'Send budget or max_occurrences for a threshold.', {
      param: 'budget',
    })
  // A charge at the very end is one too many: an open mandate is good before its end.
  const last = new Date(expiresAt.getTime() - 1)
  return price * BigInt(periodAt(at, cadence, last))
}

const BY_DAYS = [
  [366, 'ANNUALLY'],
  [92, 'QUARTERLY'],
  [31, 'MONTHLY'],
  [14, 'BIWEEKLY'],
  [7, 'WEEKLY'],
  [1, 'DAILY'],
] as const
const BY_MONTHS = [
  [12, 'ANNUALLY'],
  [3, 'QUARTERLY'],
  [1, 'MONTHLY'],
] as const

/**
 * The longest frequency of AP2 that never forbids a charge of this cadence: of months the longest that divides them, of days
 * the longest that is not longer. A threshold has no periods.
 */
export function frequencyOf(cadence: Cadence | undefined): Frequency {
  if (!cadence) return 'ON_DEMAND'
  if ('days' in cadence) return BY_DAYS.find(([days]) => days <= cadence.days)?.[1] ?? 'DAILY'
  return BY_MONTHS.find(([months]) => cadence.months % months === 0)?.[1] ?? 'MONTHLY'
}
