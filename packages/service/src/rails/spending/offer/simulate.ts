import { Type } from 'typebox'
import {
  AmountOut,
  isoOrNull,
  NullableNumber,
  NullableTimestamp,
} from '../../../api/http/fields.ts'
import type { Uses } from '../../../api/http/services.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { perLimit } from '../../../base/kernel/card-limits.ts'
import { toNumber } from '../../../base/kernel/money.ts'
import { assetOf } from '../../../chain/client/rails.ts'
import { countRead } from '../../../money/cards/caps/store-counters.ts'
import type { CardWithMoney } from '../../../money/cards/card.ts'
import { countedAt } from '../../../money/cards/windows.ts'
import { spentAsset } from '../money.ts'
import { DEMAND_MAX_BYTES } from '../seller/exchange.ts'
import type { PayAsk } from './ask.ts'
import { findPayingCard } from './authorize.ts'
import { choosePayment, decideOnChoice } from './choose.ts'
import { protocolOf, shownOffer } from './offer.ts'

export const SimulationBody = Type.Object({
  allowed: Type.Boolean({ description: 'Whether the card may pay this' }),
  rule: Type.String({ description: 'The rule that decides: `within_limits`, or a refusal code' }),
  message: Type.String({ description: 'The message to sign (EIP-4361)' }),
  passes_at: NullableTimestamp(
    'From when on the card may pay this; null where waiting does not help',
  ),
  amount: Type.Number({ description: 'All that would leave the card, fee included' }),
  merchant_amount: AmountOut,
  platform_fee: AmountOut,
  counters: Type.Object({
    limit_amount: AmountOut,
    spent: AmountOut,
    held: AmountOut,
    balance: AmountOut,
    ...perLimit('name', ({ description }) => NullableNumber(description)),
    ...perLimit('usedName', () => AmountOut),
    max_transaction: NullableNumber('The most that one payment may be; null for no limit'),
  }),
  protocol: Type.Union([Type.String(), Type.Null()], {
    description: '`x402` or `mpp`; null where the URL needs no payment',
  }),
  offer: Type.Unknown({ description: 'The offer that would be paid, as the seller wrote it' }),
})

/**
 * Decides as `pay` would now, by the same code. It asks the seller for the price, moves no money and stores nothing.
 * Throws what `pay` would throw; a decline by the card is answered with its rule.
 */
export async function simulatePayment(
  services: Uses<
    'chain' | 'clock' | 'comparison' | 'db' | 'egress' | 'log' | 'mppKeys' | 'settings'
  >,
  asked: PayAsk,
) {
  const { db, egress } = services
  const asset = spentAsset(services.chain)
  const out = (value: bigint) => toNumber(value, asset.decimals)
  const found = await findPayingCard(db.reader, asked)
  const [card = found] = await countRead(db.reader, asked.at, [found])
  using place = egress.enter(card.walletAddress, 'discover')
  const request = { ...asked.request, place, maxBytes: DEMAND_MAX_BYTES }
  const choice = await choosePayment(services, { ...asked, request })
  const counters = countersOf(countedAt(card, asked.at), assetOf(services.chain, card))
  if (choice.kind === 'free')
    return {
      allowed: true,
      rule: 'no_payment_needed',
      message: `The URL answered ${choice.response.status} and asked for no payment.`,
      passes_at: null,
      amount: 0,
      merchant_amount: 0,
      platform_fee: 0,
      counters,
      protocol: null,
      offer: null,
    }
  const decision = await decideOnChoice(services, { at: asked.at, card, ask: asked, choice })
  const { priced } = choice
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
    ...perLimit('name', ({ field }) => outOrNull(card[field])),
    ...perLimit('usedName', ({ used }) => out(card[used])),
    max_transaction: outOrNull(card.maxTransaction),
  }
}
