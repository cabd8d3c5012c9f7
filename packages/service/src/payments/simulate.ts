import { Type } from 'typebox'
import { decide, withDayOf } from '../cards/policy.ts'
import type { CardWithMoney } from '../cards/store.ts'
import { checkKeyAmount } from '../http/caller.ts'
import { AmountOut, isoOrNull, NullableNumber, NullableTimestamp } from '../http/fields.ts'
import type { Services } from '../http/services.ts'
import type { Asset } from '../kernel/assets.ts'
import { toNumber } from '../kernel/money.ts'
import type { PayAsk } from './ask.ts'
import { findPayingCard } from './authorise.ts'
import { readPayable } from './demand.ts'
import { askSeller } from './exchange.ts'
import { protocolOf, shownOffer } from './offer.ts'
import { spendOf } from './spend.ts'

export const SimulationBody = Type.Object({
  allowed: Type.Boolean(),
  rule: Type.String({ description: 'The rule that decides: `within_limits`, or a refusal code' }),
  message: Type.String(),
  passes_at: NullableTimestamp,
  amount: Type.Number({ description: 'All that would leave the card, fee included' }),
  merchant_amount: AmountOut,
  platform_fee: AmountOut,
  counters: Type.Object({
    limit_amount: AmountOut,
    spent: AmountOut,
    held: AmountOut,
    balance: AmountOut,
    daily_limit: NullableNumber,
    day_used: AmountOut,
    max_transaction: NullableNumber,
  }),
  protocol: Type.Union([Type.String(), Type.Null()], {
    description: '`x402` or `mpp`; null where the URL needs no payment',
  }),
  offer: Type.Unknown({ description: 'The offer that would be paid, as the seller wrote it' }),
})

/** What `pay` would decide now. It asks the seller for the price; no money moves and nothing is written down. */
export async function simulatePayment(services: Services, ask: PayAsk) {
  const { db, chain, egress } = services
  const { asset } = chain
  const out = (value: bigint) => toNumber(value, asset.decimals)
  const card = await findPayingCard(db.reader, ask)
  const { at, request } = ask
  const answer = await askSeller(egress, request)
  const counters = countersOf(withDayOf(card, ask.at), asset)
  if (answer.status !== 402)
    return {
      allowed: true,
      rule: 'no_payment_needed',
      message: 'The URL answers without a payment.',
      passes_at: null,
      ...{ amount: 0, merchant_amount: 0, platform_fee: 0 },
      counters,
      protocol: null,
      offer: null,
    }
  const priced = await readPayable(services, { at, answer, request }, ask)
  checkKeyAmount(ask.caller, priced.debit)
  const spend = await spendOf(services, { url: new URL(answer.url), priced })
  const decision = decide(card, spend, ask.at)
  return {
    allowed: decision.allowed,
    rule: decision.rule,
    message: decision.allowed ? 'The card would pay.' : decision.message,
    passes_at: decision.allowed ? null : isoOrNull(decision.passesAt),
    amount: out(priced.debit),
    merchant_amount: out(priced.merchantAmount),
    platform_fee: out(priced.fee),
    counters,
    protocol: protocolOf(priced),
    offer: shownOffer(priced),
  }
}

function countersOf(card: CardWithMoney, asset: Asset) {
  const out = (value: bigint) => toNumber(value, asset.decimals)
  const outOrNull = (value: bigint | null) => (value === null ? null : out(value))
  return {
    limit_amount: out(card.limitAmount),
    spent: out(card.spent),
    held: out(card.held),
    balance: out(card.available),
    daily_limit: outOrNull(card.dailyLimit),
    day_used: out(card.dayUsed),
    max_transaction: outOrNull(card.maxTransaction),
  }
}
