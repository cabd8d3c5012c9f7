import { Type } from 'typebox'
import type { Caller } from '../../../api/http/caller.ts'
import {
  AmountIn,
  AmountOut,
  AssetField,
  checkNetwork,
  idParam,
  NetworkField,
  Success,
} from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import { plus, toNumber, ZERO } from '../../../base/kernel/money.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { assetNamed } from '../../../chain/client/rails.ts'
import { normalHash } from '../../../chain/client/reads.ts'
import { mine } from '../controls/own-card.ts'
import { CardBody, cardBody } from '../view.ts'
import { fundLane } from './fund.ts'
import { insufficientBalance, issueCards, issueLane } from './issue.ts'
import { OrderBody, orderFields, readOrder } from './orders.ts'
import { issueOnTransaction } from './pay-and-issue.ts'

/** A key restricted to some cards or to an amount could escape both by issuing a new card. */
function mayIssue(caller: Caller): void {
  if (caller.cardIds !== null || caller.maxAmount !== null)
    throw new Problem(
      'forbidden_scope',
      'A key restricted to cards or an amount cannot issue or fund cards.',
    )
}

const issue = keyRoute({
  method: 'POST',
  path: '/api/issue',
  tag: 'Cards',
  summary: 'Issue a virtual payment card',
  description:
    'Without `tx_hash` the limit is allocated from your treasury balance and the card is ACTIVE. With it the card is PENDING_FUNDING until that transaction, a USDC transfer from your wallet to the treasury, is safe on chain.',
  scope: 'cards:write',
  body: Type.Object(
    {
      ...orderFields,
      network: Type.Optional(NetworkField),
      asset: Type.Optional(AssetField),
      tx_hash: Type.Optional(Type.String({ description: 'On-chain funding transaction' })),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({ success: Success, card: CardBody }),
  attack: { capped: '50 unfunded and 50 DIRECT cards a day' },
  costs: { statements: 1_400, rows: 250, jobs: 50, rpc: 150 },
  errors: [
    'invalid_amount',
    'invalid_network',
    'invalid_asset',
    'insufficient_balance',
    'already_credited',
    'invalid_state',
    'limit_reached',
  ],
  handle: async ({ body, caller, at, services, submit, write }) => {
    mayIssue(caller)
    checkNetwork(services.settings, body)
    const asset = assetNamed(services.chain, body.asset)
    const order = readOrder(body, { at, walletAddress: caller.walletAddress, asset })
    if (body.tx_hash === undefined)
      return submit(issueLane, order, (outcome) => {
        if (outcome.kind === 'refused') throw outcome.problem
        return { success: true, card: cardBody(outcome.card, asset, outcome.token) }
      })
    if (order.settlementMode === 'DIRECT')
      throw new Problem('invalid_field', 'A DIRECT card is not funded: leave tx_hash out.', {
        param: 'tx_hash',
      })
    const txHash = normalHash(body.tx_hash)
    return write(async (tx) => {
      const { card, token } = await issueOnTransaction(tx, at, { ...order, txHash })
      return { success: true, card: cardBody(card, asset, token) }
    })
  },
})

const bulk = keyRoute({
  method: 'POST',
  path: '/api/issue/bulk',
  tag: 'Cards',
  summary: 'Issue up to 1000 cards, all or none',
  description: 'Needs an Idempotency-Key. Where the balance does not cover all, nothing is issued.',
  scope: 'cards:write',
  body: Type.Object(
    {
      cards: Type.Array(OrderBody, {
        minItems: 1,
        maxItems: 1000,
        description: 'One order for each card to issue',
      }),
      network: Type.Optional(NetworkField),
      asset: Type.Optional(AssetField),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    success: Success,
    cards: Type.Array(CardBody, { description: 'The cards, in the order of their orders' }),
    total_allocated: AmountOut,
  }),
  attack: { capped: '50 DIRECT cards a day' },
  costs: { statements: 2_900, rows: 350 },
  errors: [
    'invalid_idempotency_key',
    'invalid_amount',
    'invalid_network',
    'insufficient_balance',
    'limit_reached',
  ],
  handle: async ({ body, caller, at, claim, services, write }) => {
    mayIssue(caller)
    if (!claim)
      throw new Problem(
        'invalid_idempotency_key',
        'Bulk issue needs an Idempotency-Key header, so that a retry issues nothing twice.',
      )
    checkNetwork(services.settings, body)
    const asset = assetNamed(services.chain, body.asset)
    const orders = body.cards.map((order, i) =>
      readOrder(order, { at, walletAddress: caller.walletAddress, asset, prefix: `cards.${i}.` }),
    )
    const total = orders
      .filter(({ settlementMode }) => settlementMode === 'CUSTODIAL')
      .reduce((sum, order) => plus(sum, order.limitAmount), ZERO)
    return write(async (tx) => {
      let taken = ZERO
      const cards = (await issueCards(tx, at, orders)).map((outcome) => {
        // One refusal undoes the whole order, so the refusal names the whole balance and the whole order.
        if (outcome.kind === 'refused') {
          if (outcome.problem.code !== 'insufficient_balance') throw outcome.problem
          const available = plus(outcome.available, taken)
          throw insufficientBalance({ available, requested: total, asset })
        }
        taken = plus(taken, outcome.card.available)
        return cardBody(outcome.card, asset, outcome.token)
      })
      return { success: true, cards, total_allocated: toNumber(total, asset.decimals) }
    })
  },
})

const fund = keyRoute({
  method: 'POST',
  path: '/api/cards/{id}/fund',
  tag: 'Cards',
  summary: 'Top up an ACTIVE card from your treasury balance',
  description: 'Raises limit and balance of the card by the amount.',
  scope: 'cards:write',
  params: idParam('card'),
  body: Type.Object({ amount: AmountIn }, { additionalProperties: false }),
  response: Type.Object({
    success: Success,
    card_id: Type.String({ description: 'Id of the card' }),
    added: AmountOut,
    new_limit: AmountOut,
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: ['invalid_amount', 'insufficient_balance', 'not_found', 'invalid_state'],
  handle: async ({ params, body, caller, services, submit }) => {
    mayIssue(caller)
    const { chain } = services
    const { amount } = body
    return submit(fundLane, { ...mine(caller, params.id), amount, chain }, (outcome) => {
      if (outcome.kind === 'refused') throw outcome.problem
      const { decimals } = outcome.asset
      return {
        success: true,
        card_id: outcome.card.id,
        added: toNumber(outcome.amount, decimals),
        new_limit: toNumber(outcome.card.limitAmount, decimals),
      }
    })
  },
})

export const issueRoutes: Route[] = [issue, bulk]
export const fundRoutes: Route[] = [fund]
