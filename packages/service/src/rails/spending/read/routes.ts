import { Type } from 'typebox'
import type { Caller } from '../../../api/http/caller.ts'
import {
  AmountOut,
  AtomicOut,
  CursorQuery,
  checkAfter,
  HasMore,
  iso,
  isoOrNull,
  NullableTimestamp,
  OneOf,
  PAGE_DEFAULT,
  pageOf,
  parseTime,
  shownAmounts,
  TextField,
  Timestamp,
  TxHashOut,
} from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import type { Services } from '../../../api/http/services.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { type Amount, minus, toNumber, ZERO } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { RAILS } from '../../../base/protocols/rails.ts'
import type { Chain } from '../../../chain/client/chain.ts'
import { defaultAsset, shownAsset } from '../../../chain/client/rails.ts'
import { isComing } from '../../../links/watcher/store.ts'
import {
  DIRECTIONS,
  findTransaction,
  listTransactions,
  type ShownTransaction,
  TRANSACTION_STATUSES,
} from '../../../money/cards/transactions.ts'
import { assetOfTransaction, TransactionBody, transactionBody } from '../../../money/cards/view.ts'
import { noPayment } from '../../../money/settlements/archived.ts'
import { findPaidOnChain } from '../../../money/settlements/store.ts'
import { spentAsset } from '../money.ts'
import { shownProblem } from '../offer/offer.ts'
import { type CardPayment, findCardPayment, findPayment, type OutboundPayment } from '../store.ts'
import { evidence } from './evidence.ts'
import { listFacts } from './facts.ts'
import { findOwnTransaction, hashIn, isOf, PaymentName } from './reference.ts'
import { listOfLink, searchPayments } from './search.ts'
import { shownReceipt } from './view.ts'

const PaymentBody = Type.Object({
  ...TransactionBody.properties,
  settlement_id: Type.String({ description: 'Id of the settlement' }),
})
const FactBody = Type.Object({
  at: Timestamp,
  type: Type.String({ description: 'Type of the event' }),
  data: Type.Unknown({ description: 'The facts of the event' }),
})
const SettlementBody = Type.Object({
  status: OneOf(['PENDING', 'SETTLED', 'FAILED'], 'State of the payment'),
  tx_hash: TxHashOut,
  settled_at: NullableTimestamp('When it was settled; null until then'),
  fee_amount: AmountOut,
  fee_amount_atomic: AtomicOut,
})

const paymentBody = (transaction: ShownTransaction, chain: Chain) => ({
  ...transactionBody(transaction, assetOfTransaction(chain, transaction)),
  settlement_id: transaction.ref,
})

const SETTLEMENT_OF = {
  PENDING: 'PENDING',
  UNKNOWN: 'PENDING',
  SETTLED: 'SETTLED',
  REFUNDED: 'SETTLED',
  FAILED: 'FAILED',
} as const

const settlementStatus = keyRoute({
  method: 'GET',
  path: '/api/settlement/status/{txn_id}',
  tag: 'Payments',
  summary: 'Whether a payment has settled',
  description:
    'PENDING until the end is known. By any name that an answer gave it. The wallet that paid a link from the chain may ask too, once its transfer is in a block.',
  scope: 'payments:read',
  params: Type.Object({ txn_id: PaymentName }),
  response: Type.Object({
    transaction_id: Type.String({ description: 'Id of the transaction' }),
    ...SettlementBody.properties,
    settlement: { ...SettlementBody, description: 'The same as one object' },
  }),
  attack: 'none',
  costs: { statements: 400 },
  errors: ['not_found', 'payment_archived'],
  handle: async ({ params, caller, services }) => {
    const { reader } = services.db
    const transaction = await findOwnTransaction(reader, caller, params.txn_id)
    if (!transaction) return paidOnChain(services, caller, params.txn_id)
    const settlement = {
      status: SETTLEMENT_OF[transaction.status],
      tx_hash: transaction.txHash,
      settled_at: isoOrNull(transaction.settledAt),
      ...shownAmounts(
        { fee_amount: transaction.fee },
        assetOfTransaction(services.chain, transaction).decimals,
      ),
    }
    return { transaction_id: transaction.id, ...settlement, settlement }
  },
})

const PAID_ON_CHAIN = { settling: 'PENDING', settled: 'SETTLED', failed: 'FAILED' } as const

/** A payment from or to the chain that is no transaction of the caller's cards, or is none yet. */
async function paidOnChain({ db, chain }: Services, caller: Caller, name: string) {
  const hash = hashIn(name)
  const { walletAddress: wallet } = caller
  const isWhole = caller.cardIds === null
  const paid = isWhole
    ? await findPaidOnChain(db.reader, { wallet, name: hash ?? name })
    : undefined
  const { network } = chain
  const isPending =
    isWhole &&
    !paid &&
    hash !== undefined &&
    (await isComing(db.reader, { network, txHash: hash, wallet }))
  if (!paid && !isPending) throw await noPayment(db.reader, name)
  const settlement = {
    status: paid ? PAID_ON_CHAIN[paid.state] : ('PENDING' as const),
    tx_hash: paid ? paid.txHash : (hash ?? null),
    settled_at: isoOrNull(paid?.settledAt ?? null),
    // Its receiver pays the fee.
    ...shownAmounts({ fee_amount: ZERO }, spentAsset(chain).decimals),
  }
  return { transaction_id: paid?.id ?? name, ...settlement, settlement }
}

const list = keyRoute({
  method: 'GET',
  path: '/api/payments',
  tag: 'Payments',
  summary: 'List the transactions of your cards, newest first',
  description:
    'For all cards, or for one by `card_id`. `search` looks for words of the links of others among the newest 5,000 each way.',
  scope: 'payments:read',
  query: Type.Object(
    {
      ...CursorQuery,
      search: Type.Optional(
        TextField({
          minLength: 1,
          maxLength: 100,
          description: 'An id, hash or code, an amount as shown, or words of payee and memo',
        }),
      ),
      pay_link_code: Type.Optional(
        Type.String({ maxLength: 64, description: 'Only of this link' }),
      ),
      card_id: Type.Optional(Type.String({ maxLength: 64, description: 'Id of the card' })),
      status: Type.Optional(OneOf(TRANSACTION_STATUSES, 'State of the payment')),
      direction: Type.Optional(OneOf(DIRECTIONS, 'Which way money goes')),
      protocol: Type.Optional(OneOf(RAILS, 'Protocol by which it is paid')),
      since: Type.Optional(
        Type.String({ maxLength: 40, description: 'ISO 8601: made then or later' }),
      ),
      before: Type.Optional(
        Type.String({ maxLength: 40, description: 'ISO 8601: made before this time' }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    payments: Type.Array(PaymentBody, { description: 'The payments, newest first' }),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['invalid_field'],
  handle: async ({ query, caller, services }) => {
    await checkAfter(query.after, async (id) => {
      const last = await findTransaction(services.db.reader, id)
      return last !== undefined && isOf(caller, last)
    })
    const { search, pay_link_code: code, limit = PAGE_DEFAULT } = query
    if (search !== undefined && code !== undefined)
      throw new Problem('invalid_field', 'Give search or pay_link_code, not both.', {
        param: 'search',
      })
    const filter = {
      walletAddress: caller.walletAddress,
      cardIds: caller.cardIds,
      cardId: query.card_id,
      status: query.status,
      direction: query.direction,
      protocol: query.protocol,
      since: query.since === undefined ? undefined : parseTime(query.since, 'since'),
      before: query.before === undefined ? undefined : parseTime(query.before, 'before'),
      after: query.after,
      limit,
    }
    const { reader } = services.db
    const { decimals } = defaultAsset(services.chain)
    const found =
      search !== undefined
        ? await searchPayments(reader, caller, { ...filter, search, decimals })
        : code !== undefined
          ? await listOfLink(reader, filter, code)
          : await listTransactions(reader, filter)
    const { rows, hasMore } = pageOf(found, limit)
    return {
      payments: rows.map((row) => paymentBody(row, services.chain)),
      has_more: hasMore,
    }
  },
})

const get = keyRoute({
  method: 'GET',
  path: '/api/payments/{id}',
  tag: 'Payments',
  summary: 'One payment with its timeline: decision, authorization, chain, events',
  description:
    'With the request to the seller and its answer, if this service paid. One of a link from the chain is here once it has settled; before, ask `GET /api/settlement/status/{txn_id}`.',
  scope: 'payments:read',
  params: Type.Object({ id: PaymentName }),
  response: Type.Object({
    payment: Type.Object(
      {
        ...PaymentBody.properties,
        request: Type.Union(
          [
            Type.Object({
              method: Type.String({ description: 'HTTP method of the request' }),
              url: Type.String({ description: 'URL that was paid for' }),
              pay_to: Type.String({ description: 'Address that is paid' }),
              merchant_amount: AmountOut,
              response_status: Type.Union([Type.Integer(), Type.Null()], {
                description: 'HTTP status of the seller; null where none came',
              }),
              offer: Type.Unknown({ description: 'The offer, as the seller wrote it' }),
              receipt: Type.Unknown({ description: 'The receipt that came back' }),
              problem: Type.Unknown({
                description: 'The problem document of the seller (RFC 9457)',
              }),
            }),
            Type.Null(),
          ],
          { description: 'What the seller was asked, and what came back' },
        ),
        timeline: Type.Array(FactBody, { description: 'The events, oldest first' }),
      },
      { description: 'The payment, with all that is known of it' },
    ),
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['not_found', 'payment_archived'],
  handle: async ({ params, caller, services }) => {
    const { db, chain } = services
    const transaction = await findOwnTransaction(db.reader, caller, params.id)
    if (!transaction) throw await noPayment(db.reader, params.id)
    const { id } = transaction
    const facts = await listFacts(db.reader, {
      transaction,
      asset: assetOfTransaction(chain, transaction),
    })
    const outbound = await findPayment(db.reader, id)
    const byCard = outbound ? undefined : await findCardPayment(db.reader, id)
    const timeline = [...facts, ...(outbound ? chainFacts(outbound, chain.treasury.address) : [])]
    return {
      payment: {
        ...paymentBody(transaction, chain),
        request: outbound
          ? requestBody(
              outbound,
              { payTo: outbound.payTo, amount: outbound.merchantAmount },
              shownAsset(chain, transaction),
            )
          : byCard
            ? requestBody(
                byCard,
                { payTo: transaction.merchant, amount: minus(transaction.amount, byCard.fee) },
                shownAsset(chain, transaction),
              )
            : null,
        timeline: timeline
          .sort((a, b) => a.at.getTime() - b.at.getTime())
          .map(({ at, type, data }) => ({ at: iso(at), type, data })),
      },
    }
  },
})

const requestBody = (
  payment: OutboundPayment | CardPayment,
  seller: { payTo: string; amount: Amount },
  asset: Asset,
) => ({
  method: payment.method,
  url: payment.url,
  pay_to: seller.payTo,
  merchant_amount: toNumber(seller.amount, asset.decimals),
  response_status: payment.responseStatus,
  offer: payment.offer,
  receipt: payment.receipt && shownReceipt(payment.receipt),
  problem: payment.problem && shownProblem(payment.problem),
})

function chainFacts(payment: OutboundPayment, treasury: string) {
  const { nonce, validBefore, payTo, txHash, blockNumber } = payment
  const facts = [
    {
      at: payment.createdAt,
      type: 'chain.authorized',
      data: {
        from: treasury,
        to: payTo,
        value: payment.maxAmount.toString(),
        nonce,
        valid_before: Number(validBefore),
        presentations: payment.presentations,
      },
    },
  ] as { at: Date; type: string; data: Record<string, unknown> }[]
  if (payment.endedAt)
    facts.push({
      at: payment.endedAt,
      type: `chain.${payment.state}`,
      data: { tx_hash: txHash, block_number: blockNumber === null ? null : Number(blockNumber) },
    })
  return facts
}

export const paymentReadRoutes: Route[] = [settlementStatus, list, get, evidence]
