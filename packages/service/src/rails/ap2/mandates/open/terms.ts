import { type Static, Type } from 'typebox'
import { type Caller, checkKeyAmount } from '../../../../api/http/caller.ts'
import { AmountIn, TextField } from '../../../../api/http/fields.ts'
import type { Uses } from '../../../../api/http/services.ts'
import type { Reader } from '../../../../base/db/sql.ts'
import { checkPerson } from '../../../../base/kernel/address.ts'
import type { Asset } from '../../../../base/kernel/assets.ts'
import { addSeconds } from '../../../../base/kernel/clock.ts'
import { parsePositiveAmount } from '../../../../base/kernel/money.ts'
import { notFound, Problem } from '../../../../base/kernel/problem.ts'
import type { OpenTerms } from '../../../../base/protocols/ap2/issue/terms.ts'
import {
  importKey,
  type PublicJwk,
  readPublicJwk,
} from '../../../../base/protocols/ap2/jose/keys.ts'
import { FREQUENCIES, type Frequency } from '../../../../base/protocols/ap2/read/constraints.ts'
import { exponentOf } from '../../../../base/protocols/ap2/read/currency.ts'
import type { Merchant, Money } from '../../../../base/protocols/ap2/read/fields.ts'
import type { JsonObject } from '../../../../base/protocols/json.ts'
import { personAddress } from '../../../../chain/client/reads.ts'
import { linkUrl } from '../../../../links/link/link.ts'
import { findLink } from '../../../../links/link/store.ts'
import { baseUnitsOf } from '../../../../links/pay-links/methods/ap2/prices.ts'
import { CurrencyField, JwkIn, strict } from '../../fields.ts'
import { readField } from '../../read-field.ts'

const MerchantIn = Type.Object(
  {
    id: TextField({ minLength: 1, maxLength: 512, description: 'Id of the mandate' }),
    name: TextField({ minLength: 1, maxLength: 512, description: 'Name of the payee' }),
    website: Type.Optional(TextField({ maxLength: 2048, description: 'Website of the payee' })),
  },
  strict,
)
/** A pay link's code, a merchant's wallet address, or a merchant as AP2 writes one. */
export const PayeeIn = Type.Union([Type.String({ minLength: 1, maxLength: 64 }), MerchantIn], {
  description: "A pay link's code, a merchant's wallet address, or `{id, name, website?}`",
})

/** The request fields for the terms of an open mandate. */
export const termsIn = {
  max_amount: Type.Optional(AmountIn),
  currency: Type.Optional(CurrencyField),
  agent_key: Type.Optional(JwkIn),
  ttl_minutes: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 527_040, description: '60 without it; 366 days at most' }),
  ),
  payees: Type.Optional(
    Type.Array(PayeeIn, { minItems: 1, maxItems: 50, description: 'The allowed payees' }),
  ),
  recurrence: Type.Optional(
    Type.Object(
      {
        frequency: Type.Unsafe<Frequency>({
          type: 'string',
          enum: [...FREQUENCIES],
          description: 'How often the mandate may pay',
        }),
        max_occurrences: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 1_000_000,
            description: 'How often the mandate may pay in all',
          }),
        ),
      },
      { ...strict, description: 'Without it the mandate is good for one payment' },
    ),
  ),
  budget: Type.Optional(AmountIn),
}
const TermsIn = Type.Object(termsIn)
export type TermsIn = Static<typeof TermsIn>

const DEFAULT_TTL_MINUTES = 60

/** The agent's key as the caller names it; undefined asks for one that the service keeps. */
export const readAgentKey = (jwk: TermsIn['agent_key']): PublicJwk | undefined =>
  jwk === undefined
    ? undefined
    : readField('agent_key', () => {
        const read = readPublicJwk(jwk as JsonObject)
        importKey(read)
        return read
      })

/** The terms that the request names. The caller of this function adds the card and the agent's key. */
export async function readTerms(
  services: Uses<'db' | 'settings'>,
  at: Date,
  body: TermsIn,
): Promise<Omit<OpenTerms, 'id' | 'agentKey' | 'instruments'>> {
  const { currency, recurrence } = body
  if (currency === undefined) throw missing('currency')
  if (body.max_amount === undefined) throw missing('max_amount')
  if (body.payees === undefined) throw missing('payees')
  if (recurrence && body.budget === undefined) throw missing('budget')
  const read = (input: unknown, param: string) =>
    parsePositiveAmount(input, exponentOf(currency), param)
  const { reader } = services.db
  return {
    issuedAt: at,
    expiresAt: addSeconds(at, (body.ttl_minutes ?? DEFAULT_TTL_MINUTES) * 60),
    amountRange: { currency, max: read(body.max_amount, 'max_amount') },
    payees: await Promise.all(body.payees.map((payee) => readPayee(services, reader, payee))),
    ...(body.budget !== undefined && {
      budget: { amount: read(body.budget, 'budget'), currency },
    }),
    ...(recurrence && {
      recurrence: {
        frequency: recurrence.frequency,
        ...(recurrence.max_occurrences !== undefined && {
          maxOccurrences: recurrence.max_occurrences,
        }),
      },
    }),
  }
}

/** The payee as a mandate names it. Only `id` is ever compared. Throws `not_found` for a link that is not there. */
export async function readPayee(
  services: Uses<'settings'>,
  on: Reader,
  payee: Static<typeof PayeeIn>,
): Promise<Merchant> {
  if (typeof payee !== 'string') {
    const { id, name, website } = payee
    checkPerson(id, 'payees')
    return { id, name, ...(website !== undefined && { website }) }
  }
  if (/^0x/i.test(payee)) {
    const address = personAddress(payee, 'payees')
    return { id: address, name: address }
  }
  const link = await findLink(on, payee)
  if (!link) throw notFound('pay link')
  return { id: link.code, name: link.walletAddress, website: linkUrl(services, link) }
}

const missing = (param: string): Problem =>
  new Problem(
    'missing_field',
    `${param} is missing. An open mandate has a currency, a max_amount and payees, and with a recurrence a budget.`,
    { param },
  )

/** A key restricted to an amount signs for nothing above it: neither one payment nor all of them together. */
export function checkTermsAmount(
  { amountRange, budget, recurrence }: Pick<OpenTerms, 'amountRange' | 'budget' | 'recurrence'>,
  { caller, asset }: { caller: Caller; asset: Asset },
): void {
  if (caller.maxAmount === null) return
  if (recurrence)
    throw new Problem(
      'forbidden_scope',
      'A key restricted to an amount cannot sign a recurring mandate. Use a key without max_amount.',
    )
  const amount = budget && budget.amount < amountRange.max ? budget.amount : amountRange.max
  checkSignedAmount({ amount, currency: amountRange.currency }, { caller, asset })
}

/** Refuses to sign for more than the caller's key may move at once. */
export function checkSignedAmount(
  money: Money,
  { caller, asset }: { caller: Caller; asset: Asset },
): void {
  const units = baseUnitsOf(money, asset)
  if (units !== undefined) checkKeyAmount(caller, units, asset)
}
