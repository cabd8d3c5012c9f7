import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from 'typebox'
import type { Caller } from '../../../api/http/caller.ts'
import { AmountIn, Timestamp } from '../../../api/http/fields.ts'
import type { Uses } from '../../../api/http/services.ts'
import { addSeconds } from '../../../base/kernel/clock.ts'
import { newId } from '../../../base/kernel/ids.ts'
import { formatAmount, parsePositiveAmount } from '../../../base/kernel/money.ts'
import { notFound, Problem } from '../../../base/kernel/problem.ts'
import { randomToken } from '../../../base/kernel/secrets.ts'
import type { ClosedTerms } from '../../../base/protocols/ap2/issue/terms.ts'
import { digestOf } from '../../../base/protocols/ap2/jose/digest.ts'
import { exponentOf } from '../../../base/protocols/ap2/read/currency.ts'
import type { Money } from '../../../base/protocols/ap2/read/fields.ts'
import { assetOfLink } from '../../../links/link/link.ts'
import { findLink, normalCode, type PayLink } from '../../../links/link/store.ts'
import { ap2Block } from '../../../links/pay-links/methods/ap2/offer.ts'
import { assetOfCurrency, pricesOf } from '../../../links/pay-links/methods/ap2/prices.ts'
import { CurrencyField, MandateField } from '../fields.ts'
import { checkSignedAmount, PayeeIn, readPayee } from './open/terms.ts'

const TTL_MINUTES_MAX = 1440

/** The request fields of a payment that the service signs. */
export const closingIn = {
  pay_link_code: Type.Optional(Type.String({ maxLength: 64, description: 'Code of the pay link' })),
  payee: Type.Optional(PayeeIn),
  merchant: Type.Optional({
    ...PayeeIn,
    description:
      'Another name for `pay_link_code`, or for `payee`; its currency is USD without one',
  }),
  amount: Type.Optional(AmountIn),
  max_amount: Type.Optional({
    ...AmountIn,
    description:
      'The most that the payment may be; where the payer chooses the amount, and sends none, the amount',
  }),
  currency: Type.Optional(CurrencyField),
  open_mandate: Type.Optional(MandateField),
  transaction_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description: "With `payee`: the hash of the merchant's checkout. A link has its own",
    }),
  ),
  ttl_minutes: Type.Optional(
    Type.Integer({ minimum: 1, maximum: TTL_MINUTES_MAX, description: '5 without it' }),
  ),
  expires_at: Type.Optional({
    ...Timestamp,
    description: 'In place of `ttl_minutes`: at most a day ahead',
  }),
}
const ClosingIn = Type.Object(closingIn)
export type ClosingIn = Static<typeof ClosingIn>

export type Closing = Omit<ClosedTerms, 'instrument'> & {
  /** Hashes that `payment.reference` may name. */
  references: readonly string[]
}

const DEFAULT_TTL_MINUTES = 5

/** The payment that the caller asks to have signed. */
export async function readClosing(
  services: Uses<'chain' | 'db' | 'settings' | 'signing'>,
  at: Date,
  { body: asked, caller }: { body: ClosingIn; caller: Caller },
): Promise<Closing> {
  const expiresAt = readExpiry(at, asked)
  const { amount, ...named } = payeeNamed(asked)
  const body = { ...asked, ...named, ...(amount !== undefined && { amount }) }
  const { pay_link_code: code, payee } = body
  if ((code === undefined) === (payee === undefined))
    throw new Problem('missing_field', 'Name pay_link_code or payee, one of the two.', {
      param: 'pay_link_code',
    })
  const paid =
    code === undefined
      ? await readOther(services, body)
      : await readLink(services, at, { code, body })
  checkMost(body, paid.amount)
  checkSignedAmount(paid.amount, {
    caller,
    asset: assetOfCurrency(services.chain, paid.amount.currency),
  })
  return {
    ...paid,
    id: newId('mnd', at),
    issuedAt: at,
    expiresAt,
  }
}

type Named = Pick<ClosingIn, 'pay_link_code' | 'payee' | 'currency'> & {
  amount?: ClosingIn['amount'] | undefined
}

/** The payee under today's names. `merchant` is a link's code, or else a payee; two names must mean the same. */
function payeeNamed({ merchant, ...body }: ClosingIn): Named {
  const amount = body.amount ?? body.max_amount
  if (merchant === undefined) return body.payee === undefined ? body : { ...body, amount }
  const isLink = typeof merchant === 'string' && !/^0x/i.test(merchant)
  const { pay_link_code: code, payee } = body
  const [isCode, isPayee] = isLink
    ? [code === undefined || normalCode(code) === normalCode(merchant), payee === undefined]
    : [code === undefined, payee === undefined || isDeepStrictEqual(payee, merchant)]
  if (!isCode || !isPayee)
    throw new Problem(
      'invalid_field',
      `merchant is not the same as ${isCode ? 'payee' : 'pay_link_code'}: name the payee once.`,
      { param: 'merchant' },
    )
  if (isLink) return { ...body, pay_link_code: merchant }
  return { ...body, payee: merchant, amount, currency: body.currency ?? 'USD' }
}

function readExpiry(at: Date, { expires_at: end, ttl_minutes: minutes }: ClosingIn): Date {
  if (end === undefined) return addSeconds(at, (minutes ?? DEFAULT_TTL_MINUTES) * 60)
  const refuse = (rule: string) =>
    new Problem('invalid_field', `expires_at must be ${rule}.`, { param: 'expires_at' })
  if (minutes !== undefined) throw refuse('left out, or ttl_minutes')
  const expiresAt = new Date(Math.floor(Date.parse(end) / 1000) * 1000)
  if (!(expiresAt > at && expiresAt <= addSeconds(at, TTL_MINUTES_MAX * 60)))
    throw refuse('a time from now on, at most 24 hours ahead')
  return expiresAt
}

/** Refuses a payment above the caller's `max_amount`. */
function checkMost({ max_amount: most }: ClosingIn, { amount, currency }: Money): void {
  if (most === undefined) return
  const digits = exponentOf(currency)
  if (amount > parsePositiveAmount(most, digits, 'max_amount'))
    throw new Problem(
      'invalid_amount',
      `The payment is ${formatAmount(amount, digits)} ${currency}, above max_amount.`,
      { param: 'max_amount' },
    )
}

type Paid = Pick<Closing, 'payee' | 'amount' | 'transactionId' | 'references'>

async function readLink(
  services: Uses<'chain' | 'db' | 'settings' | 'signing'>,
  at: Date,
  { code, body }: { code: string; body: ClosingIn },
): Promise<Paid> {
  const link = await findLink(services.db.reader, code)
  if (!link) throw notFound('pay link')
  const block = await ap2Block(services, at, link)
  if (!block)
    throw new Problem(
      'protocol_not_accepted',
      `This link takes ${link.acceptedProtocols.join(', ')}, not ap2.`,
    )
  if (body.transaction_id !== undefined && body.transaction_id !== block.transaction_id)
    throw new Problem('invalid_field', 'A link has its own transaction_id: leave it out.', {
      param: 'transaction_id',
    })
  return {
    payee: block.payee,
    amount: amountFor(services, link, body),
    transactionId: block.transaction_id,
    references: [block.transaction_id],
  }
}

/** The link's amount, or the caller's for a link without one. */
function amountFor(services: Uses<'chain'>, link: PayLink, body: ClosingIn): Money {
  const prices = pricesOf(link, assetOfLink(services.chain, link))
  const price = prices.find(({ currency }) => currency === (body.currency ?? prices[0]?.currency))
  if (!price)
    throw new Problem(
      'invalid_field',
      `This link is paid in ${prices.map(({ currency }) => currency).join(' or ')}.`,
      { param: 'currency' },
    )
  const { currency, min, max } = price
  const asked = min === max ? body.amount : (body.amount ?? body.max_amount)
  if (asked === undefined && min !== max)
    throw new Problem('missing_field', 'The payer chooses the amount of this link: send amount.', {
      param: 'amount',
    })
  const amount = asked === undefined ? min : parsePositiveAmount(asked, exponentOf(currency))
  if (amount < min || amount > max)
    throw new Problem(
      'invalid_amount',
      `This link takes ${formatAmount(min, exponentOf(currency))} ${currency}; leave amount out.`,
      { param: 'amount' },
    )
  return { amount, currency }
}

/** A payee that is no link of ours; its merchant checks the mandate, or we do when one of its links is named later. */
async function readOther(services: Uses<'db' | 'settings'>, body: ClosingIn): Promise<Paid> {
  const { payee, amount, currency } = body
  if (payee === undefined || amount === undefined || currency === undefined)
    throw new Problem('missing_field', 'With payee send amount and currency.', {
      param: amount === undefined ? 'amount' : 'currency',
    })
  return {
    payee: await readPayee(services, services.db.reader, payee),
    amount: { amount: parsePositiveAmount(amount, exponentOf(currency)), currency },
    transactionId: body.transaction_id ?? digestOf(randomToken()),
    references: [],
  }
}
