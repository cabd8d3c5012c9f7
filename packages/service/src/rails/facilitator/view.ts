import { type Static, Type } from 'typebox'
import {
  AddressField,
  iso,
  isoOrNull,
  NetworkField,
  NullableString,
  NullableTimestamp,
  Timestamp,
} from '../../api/http/fields.ts'
import type { Uses } from '../../api/http/services.ts'
import type { Problem } from '../../base/kernel/problem.ts'
import { networkName } from '../../base/protocols/x402/wire.ts'
import { rationProblem, refusalOfRation } from '../../chain/relay/gas/relayer-gas.ts'
import type { Outcome } from './settle/finish.ts'
import type { Settlement } from './store.ts'

const STATUS = { settling: 'pending', settled: 'completed', failed: 'failed' } as const

/** `SettleResponse` of x402 with what a seller of this service can look up later. */
export const SettleBody = Type.Object({
  success: Type.Boolean({ description: 'Only then may anything be given for the payment' }),
  transaction: Type.String({
    description:
      'The transaction that holds the transfer, or will if it is pending; else empty, as for an upto payment of which nothing was used',
  }),
  network: Type.String({ description: 'CAIP-2 chain id; by its v1 name in an answer to v1' }),
  payer: Type.Optional(Type.String({ description: 'Address that pays' })),
  amount: Type.Optional(Type.String({ description: 'Base units' })),
  errorReason: Type.Optional(
    Type.String({
      description:
        'settlement_pending is no failure: ask again with the same request, never for another payment',
    }),
  ),
  errorMessage: Type.Optional(Type.String({ description: 'Why it was not settled, in words' })),
  extra: Type.Optional(
    Type.Object(
      {
        settlement_id: Type.String({ description: 'Id of the settlement' }),
        status_url: Type.String({ description: 'With the same key: how it stands' }),
      },
      { description: 'Additions of the x402 scheme, such as name and version of the token' },
    ),
  ),
})

/** An outcome as x402 writes it. */
export function settleBody(
  { settings, chain }: Uses<'chain' | 'settings'>,
  outcome: Exclude<Outcome, { kind: 'rationed' }>,
  version: unknown,
): Static<typeof SettleBody> {
  const network = networkName(chain.network, version === 1 ? 1 : 2)
  const { settlement } = outcome
  const extra = settlement && {
    settlement_id: settlement.id,
    status_url: `${settings.publicUrl}/api/x402/settlements/${settlement.id}`,
  }
  const common = { network, ...(extra ? { extra } : {}) }
  switch (outcome.kind) {
    case 'settled': {
      const { txHash, payer, amount } = outcome.settlement
      return { success: true, transaction: txHash ?? '', payer, amount: String(amount), ...common }
    }
    case 'unused':
      return { success: true, transaction: '', payer: outcome.payer, amount: '0', ...common }
    case 'pending':
      return {
        success: false,
        errorReason: 'settlement_pending',
        errorMessage:
          'The payment is on its way to the chain. Ask again with this same request; do not ask for another payment.',
        transaction: outcome.hash,
        payer: outcome.settlement.payer,
        ...common,
      }
    case 'refused': {
      const { reason, detail, payer } = outcome
      const errors = { errorReason: reason, errorMessage: detail }
      return { success: false, ...errors, transaction: '', ...(payer ? { payer } : {}), ...common }
    }
  }
}

/** 429 with the body of a failed settlement, as clients of a facilitator read it. */
export function rationedProblem(
  { chain }: Uses<'chain'>,
  { rationed, payer }: Extract<Outcome, { kind: 'rationed' }>,
  version: unknown,
): Problem {
  const { code, detail } = refusalOfRation(rationed)
  const network = networkName(chain.network, version === 1 ? 1 : 2)
  const failed = { success: false, errorReason: code, errorMessage: detail, transaction: '' }
  return rationProblem(rationed, { ...failed, network, payer })
}

export const SettlementBody = Type.Object({
  id: Type.String({ description: 'Id of the settlement' }),
  status: Type.Unsafe<'pending' | 'completed' | 'failed'>({
    type: 'string',
    enum: ['pending', 'completed', 'failed'],
    description: 'State of the settlement',
  }),
  finality: Type.Unsafe<'waiting' | 'final' | 'missing' | null>({
    type: ['string', 'null'],
    enum: ['waiting', 'final', 'missing', null],
    description:
      'Of a completed one: whether its block is beyond reorganization; missing: it was undone, and the payer has not paid',
  }),
  transaction: NullableString('Hash of the transaction'),
  network: NetworkField,
  asset: AddressField,
  scheme: Type.Unsafe<'exact' | 'upto'>({
    type: 'string',
    enum: ['exact', 'upto'],
    description: 'upto: the amount is what was used of the signed most',
  }),
  asset_transfer_method: Type.Unsafe<'eip3009' | 'permit2'>({
    type: 'string',
    enum: ['eip3009', 'permit2'],
    description: 'How x402 moves the token: eip3009 or permit2',
  }),
  payer: AddressField,
  pay_to: AddressField,
  amount: Type.String({ description: 'Base units' }),
  payment_identifier: NullableString('Id that the client gave the payment (x402)'),
  resource: NullableString('Address of what is sold'),
  reason: NullableString('Why, as a stable word'),
  detail: NullableString('The same in words'),
  created_at: Timestamp,
  ended_at: NullableTimestamp('When it ended; null while it is open'),
})

export const viewSettlement = (settlement: Settlement): Static<typeof SettlementBody> => ({
  id: settlement.id,
  status: STATUS[settlement.state],
  finality: settlement.state === 'settled' ? settlement.finality : null,
  transaction: settlement.txHash,
  network: settlement.network,
  asset: settlement.token,
  scheme: settlement.method === 'upto' ? 'upto' : 'exact',
  asset_transfer_method: settlement.method === 'eip3009' ? 'eip3009' : 'permit2',
  payer: settlement.payer,
  pay_to: settlement.payTo,
  amount: String(settlement.amount),
  payment_identifier: settlement.paymentIdentifier,
  resource: settlement.resourceUrl,
  reason: settlement.reason,
  detail: settlement.detail,
  created_at: iso(settlement.createdAt),
  ended_at: isoOrNull(settlement.endedAt),
})
