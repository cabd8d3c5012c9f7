import { Type } from 'typebox'
import { TxHashOut } from '../../../api/http/fields.ts'
import type { Uses } from '../../../api/http/services.ts'
import { toNumber } from '../../../base/kernel/money.ts'
import { assetOfCurrency, baseUnitsOf } from '../../../links/pay-links/methods/ap2/prices.ts'
import type { MandateFacts } from '../mandates/store.ts'

const AMOUNT = Type.Number({ description: 'Whole units of the asset of the link' })
const settled = (status: 'SETTLED' | 'ALREADY_SETTLED') =>
  Type.Object({
    status: Type.Literal(status, { description: 'State of the settlement' }),
    protocol: Type.Literal('ap2', { description: 'Protocol by which it is paid' }),
    settlement_id: Type.String({ description: 'Id of the settlement' }),
    mandate_id: Type.String({ description: 'The `jti`; a hash of the mandate where it has none' }),
    pay_link_code: Type.String({ description: 'Code of the pay link' }),
    amount: AMOUNT,
    fee: AMOUNT,
    net_amount: AMOUNT,
    tx_hash: TxHashOut,
    payee: Type.String({ description: 'The `payee.id` of the mandate' }),
    receipt_url: Type.String({ description: 'Where the signed AP2 receipt of this payment is' }),
  })

/** The first answer of a mandate, and every later one. */
export const SettledBody = settled('SETTLED')
export const AlreadySettledBody = settled('ALREADY_SETTLED')

export function mandateBody<S extends 'SETTLED' | 'ALREADY_SETTLED'>(
  services: Uses<'chain' | 'settings'>,
  status: S,
  { facts, code }: { facts: MandateFacts; code: string },
) {
  const asset = assetOfCurrency(services.chain, facts.currency)
  const amount = baseUnitsOf(facts, asset) ?? 0n
  const out = (value: bigint) => toNumber(value, asset.decimals)
  return {
    status,
    protocol: 'ap2' as const,
    settlement_id: facts.settlementId,
    mandate_id: facts.mandateId,
    pay_link_code: code,
    amount: out(amount),
    fee: out(facts.fee),
    net_amount: out(amount - facts.fee),
    tx_hash: null,
    payee: facts.payeeId,
    receipt_url: `${services.settings.publicUrl}/api/ap2/receipts/${facts.settlementId}`,
  }
}
