import { Type } from 'typebox'
import { findCard } from '../cards/store.ts'
import { isTokenOf } from '../cards/token.ts'
import { normalHash, personAddress } from '../chain/reads.ts'
import { AmountIn, CodeParam } from '../http/fields.ts'
import { publicRoute } from '../http/route.ts'
import type { Services } from '../http/services.ts'
import { parsePositiveAmount } from '../kernel/money.ts'
import { Problem } from '../kernel/problem.ts'
import { CARD_RAILS, type CardRail } from '../settlements/settlement.ts'
import { exceptionProblem } from './arrivals/exceptions.ts'
import { cardPaymentLane } from './methods/card/settle.ts'
import { settleOnChain } from './methods/on-chain/settle.ts'
import { mustFindLink } from './read-link.ts'
import type { PayLink } from './store.ts'
import { pendingBody, SettledBody, settledBody } from './view.ts'

const SettleBody = Type.Object(
  {
    protocol: Type.Optional(
      Type.String({
        maxLength: 32,
        description:
          'By card: card, ap2, x402 or mpp, if the link accepts it; the record names it. Without it: card, or what the link accepts',
      }),
    ),
    payer_card_id: Type.Optional(Type.String({ maxLength: 64 })),
    payer_card_token: Type.Optional(Type.String({ maxLength: 100 })),
    tx_hash: Type.Optional(Type.String()),
    from_address: Type.Optional(Type.String()),
    amount: Type.Optional(AmountIn),
  },
  { additionalProperties: false },
)
type Settle = Type.Static<typeof SettleBody>

export const settleRoute = publicRoute({
  method: 'POST',
  path: '/api/pay/{code}/settle',
  isOpenToSites: true,
  tag: 'Pay links',
  summary: 'Settle a pay link, by a card of this service or by a transaction on chain',
  description:
    'By card: `payer_card_id`, `payer_card_token`, and `amount` where the payer chooses it. By chain: `tx_hash` of a transfer to the address that `prepare` names, and `from_address`. The answer is 200 with `status` PENDING until the block of the transaction is safe; the credit then follows by itself, and the same call tells it.',
  params: CodeParam,
  body: SettleBody,
  response: SettledBody,
  errors: [
    'missing_field',
    'invalid_amount',
    'invalid_transaction',
    'invalid_payment',
    'protocol_not_accepted',
    'invalid_card_token',
    'limit_exceeded',
    'insufficient_funds',
    'card_frozen',
    'not_found',
    'pay_link_expired',
    'pay_link_cancelled',
    'pay_link_completed',
    'already_settled',
    'pay_link_busy',
    'payment_exception',
    'chain_unavailable',
  ],
  // Only who has the card's token may take a key of the card, or learn whether it was taken.
  keyOwner: async (body, { db }) => {
    const { payer_card_id: id, payer_card_token: token } = body
    const card = id && token ? await findCard(db.reader, id) : undefined
    return card && token && isTokenOf(card, token) ? card.id : undefined
  },
  handle: async ({ params, body, at, services, submit }) => {
    if (body.tx_hash !== undefined) {
      const link = await mustFindLink(services, params.code)
      return settleByTransaction(services, at, { link, body, txHash: body.tx_hash })
    }
    const { asset } = services.chain
    const payment = {
      // The lane finds the link under its lock: a read of its own here cost half of all the time, measured.
      code: params.code,
      cardId: required(body, 'payer_card_id'),
      token: required(body, 'payer_card_token'),
      amount: body.amount === undefined ? null : parsePositiveAmount(body.amount, asset.decimals),
      protocol: railNamed(body.protocol),
      asset,
      fee: services.settings.fee,
    }
    return submit(cardPaymentLane, payment, (outcome) => {
      if (!outcome.ok) throw outcome.problem
      return settledBody(services, outcome.settled)
    })
  },
})

function railNamed(protocol: string | undefined): CardRail | null {
  if (protocol === undefined) return null
  const named = CARD_RAILS.find((rail) => rail === protocol)
  if (named) return named
  throw new Problem(
    'protocol_not_accepted',
    `protocol must be one of ${CARD_RAILS.join(', ')}; a payment on chain is named by its tx_hash.`,
    { param: 'protocol' },
  )
}

function required(body: Settle, name: 'payer_card_id' | 'payer_card_token'): string {
  const value = body[name]
  if (!value)
    throw new Problem('missing_field', `${name} is required, or tx_hash for a payment on chain.`, {
      param: name,
    })
  return value
}

async function settleByTransaction(
  services: Services,
  at: Date,
  asked: { link: PayLink; body: Settle; txHash: string },
) {
  const { link, body } = asked
  if (!link.acceptedProtocols.includes('onchain') && !link.acceptedProtocols.includes('x402'))
    throw new Problem(
      'protocol_not_accepted',
      `This link takes ${link.acceptedProtocols.join(', ')}, not payments on chain.`,
    )
  const from =
    body.from_address === undefined ? null : personAddress(body.from_address, 'from_address')
  const outcome = await settleOnChain(services, at, {
    link,
    txHash: normalHash(asked.txHash),
    from,
  })
  if (outcome.kind === 'exception')
    throw exceptionProblem(outcome.exception, services.chain.asset.decimals)
  if (outcome.kind === 'settled') return settledBody(services, outcome)
  return pendingBody(services, link, asked.txHash.toLowerCase())
}
