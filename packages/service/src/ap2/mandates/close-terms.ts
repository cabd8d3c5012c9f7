import { type Static, Type } from 'typebox'
import type { Caller } from '../../http/caller.ts'
import { AmountIn } from '../../http/fields.ts'
import type { Services } from '../../http/services.ts'
import { addSeconds } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { formatAmount, parsePositiveAmount } from '../../kernel/money.ts'
import { notFound, Problem } from '../../kernel/problem.ts'
import { randomToken } from '../../kernel/secrets.ts'
import { ap2Block } from '../../pay-links/methods/ap2/offer.ts'
import { pricesOf } from '../../pay-links/methods/ap2/prices.ts'
import { findLink, type PayLink } from '../../pay-links/store.ts'
import type { ClosedTerms } from '../../protocols/ap2/issue/terms.ts'
import { digestOf } from '../../protocols/ap2/jose/digest.ts'
import { exponentOf } from '../../protocols/ap2/read/currency.ts'
import type { Money } from '../../protocols/ap2/read/fields.ts'
import { CurrencyField, MandateField } from '../fields.ts'
import { checkSignedAmount, PayeeIn, readPayee } from './open/terms.ts'

/** The request fields of a payment that the service signs. */
export const closingIn = {
  pay_link_code: Type.Optional(Type.String({ maxLength: 64 })),
  payee: Type.Optional(PayeeIn),
  amount: Type.Optional(AmountIn),
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
    Type.Integer({ minimum: 1, maximum: 1440, description: '5 without it' }),
  ),
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
  services: Services,
  at: Date,
  { body, caller }: { body: ClosingIn; caller: Caller },
): Promise<Closing> {
  const { pay_link_code: code, payee } = body
  if ((code === undefined) === (payee === undefined))
    throw new Problem('missing_field', 'Name pay_link_code or payee, one of the two.', {
      param: 'pay_link_code',
    })
  const paid =
    code === undefined
      ? await readOther(services, body)
      : await readLink(services, at, { code, body })
  checkSignedAmount(paid.amount, { caller, asset: services.chain.asset })
  return {
    ...paid,
    id: newId('mnd', at),
    issuedAt: at,
    expiresAt: addSeconds(at, (body.ttl_minutes ?? DEFAULT_TTL_MINUTES) * 60),
  }
}

type Paid = Pick<Closing, 'payee' | 'amount' | 'transactionId' | 'references'>

async function readLink(
  services: Services,
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
function amountFor(services: Services, link: PayLink, body: ClosingIn): Money {
  const prices = pricesOf(link, services.chain.asset)
  const price = prices.find(({ currency }) => currency === (body.currency ?? prices[0]?.currency))
  if (!price)
    throw new Problem(
      'invalid_field',
      `This link is paid in ${prices.map(({ currency }) => currency).join(' or ')}.`,
      { param: 'currency' },
    )
  const { currency, min, max } = price
  if (body.amount === undefined && min !== max)
    throw new Problem('missing_field', 'The payer chooses the amount of this link: send amount.', {
      param: 'amount',
    })
  const amount =
    body.amount === undefined ? min : parsePositiveAmount(body.amount, exponentOf(currency))
  if (amount < min || amount > max)
    throw new Problem(
      'invalid_amount',
      `This link takes ${formatAmount(min, exponentOf(currency))} ${currency}; leave amount out.`,
      { param: 'amount' },
    )
  return { amount, currency }
}

/** A payee that is no link of ours; its merchant checks the mandate, or we do when one of its links is named later. */
async function readOther(services: Services, body: ClosingIn): Promise<Paid> {
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
