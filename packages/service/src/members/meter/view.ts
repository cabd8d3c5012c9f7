import { Type } from 'typebox'
import {
  AmountOut,
  AssetField,
  iso,
  isoOrNull,
  NetworkField,
  NullableString,
  NullableTimestamp,
  OneOf,
  Timestamp,
} from '../../api/http/fields.ts'
import type { Asset } from '../../base/kernel/assets.ts'
import { type Amount, toNumber } from '../../base/kernel/money.ts'
import type { FeeRule } from '../../money/settlements/fees.ts'
import { isGateOpen } from './gate.ts'
import type { MeterEntry } from './store.ts'
import type { MeterStanding, Schedule } from './terms.ts'

export const MeterBody = Type.Object({
  balance: AmountOut,
  owed: Type.Number({ description: 'Fees that the next top-up pays first' }),
  asset: AssetField,
  network: NetworkField,
})

export const meterBody = (
  { balance, owed }: { balance: Amount; owed: Amount },
  { decimals, symbol, network }: Asset,
) => ({
  balance: toNumber(balance, decimals),
  owed: toNumber(owed, decimals),
  asset: symbol,
  network,
})

const RateBody = Type.Object({
  bps: Type.Integer({ description: 'Ten-thousandths of the amount' }),
  flat: AmountOut,
})

export const FeesBody = Type.Object({
  meter: MeterBody,
  quota: Type.Object(
    {
      included: Type.Integer({ description: 'DIRECT settlements of a month without a fee' }),
      used: Type.Integer({ description: 'Settlements of the month so far' }),
      resets_at: Timestamp,
    },
    { description: 'The DIRECT settlements that the plan has free' },
  ),
  overage_fee: Type.Number({ description: 'The fee of a DIRECT settlement above the quota' }),
  gate: OneOf(['open', 'closed'], 'Whether your DIRECT links can be paid'),
  schedule: Type.Object(
    { settlement: RateBody, payment: RateBody, sale: RateBody },
    {
      description:
        'The fees of your other payments: that you receive, that your cards make to a URL, and sales',
    },
  ),
})

const rateBody = ({ bps, flat }: FeeRule, { decimals }: Asset) => ({
  bps: Number(bps),
  flat: toNumber(flat, decimals),
})

export const feesBody = (
  { meter, schedule }: { meter: MeterStanding; schedule: Schedule },
  asset: Asset,
) => ({
  meter: meterBody(meter, asset),
  quota: { included: meter.quota, used: meter.used, resets_at: iso(meter.resetsAt) },
  overage_fee: toNumber(meter.overage, asset.decimals),
  gate: isGateOpen(meter) ? ('open' as const) : ('closed' as const),
  schedule: {
    settlement: rateBody(schedule.settlement, asset),
    payment: rateBody(schedule.payment, asset),
    sale: rateBody(schedule.sale, asset),
  },
})

const STATES = { free: 'FREE', paid: 'PAID', owed: 'OWED' } as const

export const EntryBody = Type.Object({
  id: Type.String({ description: 'Id of the entry' }),
  kind: OneOf(['fee', 'topup'], 'fee: taken for a payment; topup: paid in'),
  amount: AmountOut,
  status: OneOf(['FREE', 'PAID', 'OWED', 'REVERSED', 'ADDED'], 'ADDED is a top-up'),
  settlement_id: NullableString('Id of the settlement'),
  agreement_id: NullableString('Id of the agreement; null where none is concerned'),
  created_at: Timestamp,
  paid_at: NullableTimestamp('When the meter paid it; null until then'),
})

export const entryBody = (entry: MeterEntry, { decimals }: Asset) => ({
  id: entry.id,
  kind: entry.kind,
  amount: toNumber(entry.amount, decimals),
  status: statusOf(entry),
  settlement_id: entry.settlementId,
  agreement_id: entry.agreementId,
  created_at: iso(entry.createdAt),
  paid_at: isoOrNull(entry.paidAt),
})

function statusOf({ state, reversedAt }: MeterEntry) {
  if (state === null) return 'ADDED' as const
  return reversedAt ? ('REVERSED' as const) : STATES[state]
}
