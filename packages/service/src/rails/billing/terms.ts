import { type Static, Type } from 'typebox'
import { TRIGGER_TYPES } from '../../api/events/types/agreements.ts'
import { AmountIn, OneOf, TextField } from '../../api/http/fields.ts'
import type { Uses } from '../../api/http/services.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { type Amount, formatAmount, parsePositiveAmount } from '../../base/kernel/money.ts'
import { notFound, Problem } from '../../base/kernel/problem.ts'
import { defaultAsset } from '../../chain/client/rails.ts'
import { personAddress } from '../../chain/client/reads.ts'
import { assetOfLink, closedProblem, leastProblem } from '../../links/link/link.ts'
import { findLink, type PayLink } from '../../links/link/store.ts'
import type { Agreement } from '../../members/agreements/agreement.ts'
import { isKnownWallet } from './store.ts'

/** The request fields that say who is paid, how much, and when. */
export const termsIn = {
  payer_card_id: Type.String({ minLength: 1, maxLength: 64, description: 'The card that pays' }),
  pay_link_code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The merchant, by a RECURRING link that takes AP2 mandates',
    }),
  ),
  merchant_wallet: Type.Optional(
    TextField({
      minLength: 1,
      maxLength: 64,
      description: "The merchant, by its wallet; for a threshold the service's treasury address",
    }),
  ),
  amount: AmountIn,
  trigger_type: OneOf(TRIGGER_TYPES, 'What makes a charge due: interval or threshold'),
  period_days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 366, description: 'Of an interval: days or months' }),
  ),
  period_months: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 12,
      description: 'Months between charges; null where days count or nothing does',
    }),
  ),
  threshold_metric: Type.Optional(
    OneOf(['svc_fee_balance'], 'The balance that is watched: svc_fee_balance, the fee meter'),
  ),
  threshold_floor: Type.Optional(AmountIn),
}
const TermsIn = Type.Object(termsIn)
export type TermsIn = Static<typeof TermsIn>

/** The side of an agreement that is paid. */
export type Merchant = { link: PayLink } | { wallet: string }
/** The terms of an agreement, as its payer asks for them. */
export type Terms = { merchant: Merchant } & Pick<
  Agreement,
  | 'amount'
  | 'triggerType'
  | 'periodDays'
  | 'periodMonths'
  | 'thresholdMetric'
  | 'thresholdFloor'
  | 'merchantWallet'
  | 'payLinkCode'
>

/** Reads the terms, and refuses a merchant that cannot be paid by them, the payer itself included. */
export async function readTerms(
  services: Uses<'chain' | 'db'>,
  at: Date,
  { body, payerWallet }: { body: TermsIn; payerWallet: string },
): Promise<Terms> {
  const asset = defaultAsset(services.chain)
  const amount = parsePositiveAmount(body.amount, asset.decimals)
  const trigger = readTrigger(body, asset)
  const merchant =
    trigger.triggerType === 'threshold'
      ? readMeter(services, body)
      : await readMerchant(services, at, { body, amount })
  const merchantWallet = 'link' in merchant ? merchant.link.walletAddress : merchant.wallet
  if (merchantWallet === payerWallet)
    throw new Problem(
      'invalid_payment',
      'Payer and merchant are the same wallet. An agreement is between two.',
    )
  const payLinkCode = 'link' in merchant ? merchant.link.code : null
  return { merchant, amount, ...trigger, merchantWallet, payLinkCode }
}

type Trigger = Pick<
  Terms,
  'triggerType' | 'periodDays' | 'periodMonths' | 'thresholdMetric' | 'thresholdFloor'
>

function readTrigger(body: TermsIn, asset: Asset): Trigger {
  const { period_days: days, period_months: months } = body
  const { threshold_metric: metric, threshold_floor: floor } = body
  if (body.trigger_type === 'interval') {
    refuseFields(body, ['threshold_metric', 'threshold_floor'], 'an interval')
    if (days !== undefined && months !== undefined) throw excludes('period_days', 'period_months')
    if (days === undefined && months === undefined)
      throw new Problem('missing_field', 'Send period_days or period_months, one of the two.', {
        param: 'period_days',
      })
    return {
      triggerType: 'interval',
      periodDays: days ?? null,
      periodMonths: months ?? null,
      thresholdMetric: null,
      thresholdFloor: null,
    }
  }
  refuseFields(body, ['period_days', 'period_months'], 'a threshold')
  if (metric === undefined || floor === undefined)
    throw new Problem('missing_field', 'A threshold has threshold_metric and threshold_floor.', {
      param: metric === undefined ? 'threshold_metric' : 'threshold_floor',
    })
  return {
    triggerType: 'threshold',
    periodDays: null,
    periodMonths: null,
    thresholdMetric: 'svc_fee_balance',
    thresholdFloor: parsePositiveAmount(floor, asset.decimals, 'threshold_floor'),
  }
}

function refuseFields(body: TermsIn, names: readonly (keyof TermsIn)[], of: string): void {
  const name = names.find((one) => body[one] !== undefined)
  if (name !== undefined)
    throw new Problem('invalid_field', `${name} is no field of ${of}; leave it out.`, {
      param: name,
    })
}

/** A threshold tops up the fee meter of the payer's wallet, which the service keeps. */
function readMeter(services: Uses<'chain'>, body: TermsIn): Merchant {
  const { address } = services.chain.treasury
  refuseFields(body, ['pay_link_code'], 'a threshold')
  if (body.merchant_wallet === undefined) throw missingMerchant()
  if (personAddress(body.merchant_wallet, 'merchant_wallet') !== address)
    throw new Problem(
      'invalid_field',
      `The merchant of a threshold is the service: merchant_wallet must be ${address}.`,
      { param: 'merchant_wallet' },
    )
  return { wallet: address }
}

async function readMerchant(
  services: Uses<'chain' | 'db'>,
  at: Date,
  { body, amount }: { body: TermsIn; amount: Amount },
): Promise<Merchant> {
  const { pay_link_code: code, merchant_wallet: wallet } = body
  if (code !== undefined && wallet !== undefined) throw excludes('pay_link_code', 'merchant_wallet')
  if (code === undefined && wallet === undefined) throw missingMerchant()
  const { reader } = services.db
  if (wallet !== undefined) {
    const address = personAddress(wallet, 'merchant_wallet')
    if (!(await isKnownWallet(reader, address))) throw notFound('wallet')
    return { wallet: address }
  }
  const link = code === undefined ? undefined : await findLink(reader, code)
  if (!link) throw notFound('pay link')
  checkLink(link, at, { amount, asset: assetOfLink(services.chain, link) })
  return { link }
}

function checkLink(link: PayLink, at: Date, of: { amount: Amount; asset: Asset }): void {
  const { amount, asset } = of
  if (link.token !== null || !link.acceptedProtocols.includes('ap2'))
    throw new Problem(
      'protocol_not_accepted',
      `This link takes ${link.acceptedProtocols.join(', ')}, not AP2 mandates.`,
      { param: 'pay_link_code' },
    )
  if (link.linkType !== 'RECURRING')
    throw new Problem(
      'invalid_payment',
      'This link is SINGLE. An agreement is charged on a RECURRING one.',
      { param: 'pay_link_code' },
    )
  if (link.amount !== null && link.amount !== amount)
    throw new Problem(
      'invalid_amount',
      `This link takes ${formatAmount(link.amount, asset.decimals)} ${asset.symbol}; send that amount.`,
      { param: 'amount' },
    )
  const small = leastProblem(link, amount, asset)
  if (small) throw small
  const closed = closedProblem(link, at)
  if (closed) throw closed
}

const excludes = (param: keyof TermsIn, other: keyof TermsIn): Problem =>
  new Problem('invalid_field', `${param} and ${other} exclude each other. Send one of the two.`, {
    param,
  })

const missingMerchant = (): Problem =>
  new Problem('missing_field', 'Name pay_link_code or merchant_wallet, one of the two.', {
    param: 'pay_link_code',
  })
