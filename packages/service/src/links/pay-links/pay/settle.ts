import { Type } from 'typebox'
import { CodeParam } from '../../../api/http/fields.ts'
import { publicRoute } from '../../../api/http/route.ts'
import { Problem } from '../../../base/kernel/problem.ts'
import { SettledBody } from '../../link/view.ts'
import type { Body, SettleByBody } from '../methods/method.ts'
import { METHODS } from '../methods/methods.ts'

const ways = METHODS.flatMap(({ settle }) => settle ?? [])

const wayOf = (body: Body): SettleByBody | undefined => ways.find((way) => way.isMeant(body))

export const settleRoute = publicRoute({
  method: 'POST',
  path: '/api/pay/{code}/settle',
  isOpenToSites: true,
  heedsKey: true,
  tag: 'Pay links',
  summary: 'Settle a pay link, by a card of this service or by a transaction on chain',
  description: ways.map(({ description }) => description).join(' '),
  params: CodeParam,
  body: Type.Object(Object.assign({}, ...ways.map(({ fields }) => fields)), {
    additionalProperties: false,
  }),
  response: SettledBody,
  attack: 'open',
  costs: { statements: 400, rows: 200, rpc: 350 },
  errors: [
    ...new Set(ways.flatMap(({ errors }) => errors)),
    'protocol_not_accepted',
    'not_found',
    'pay_link_expired',
    'pay_link_cancelled',
    'pay_link_completed',
    'pay_link_busy',
  ],
  keyOwner: async (body, services) => wayOf(body)?.keyOwner?.(body, services),
  handle: async (context) => {
    const way = wayOf(context.body)
    if (!way) throw noPayment()
    return way.pay(context)
  },
})

function noPayment(): Problem {
  const keys = ways.map(({ key }) => key)
  return new Problem('missing_field', `The body names no payment: send ${keys.join(' or ')}.`, {
    param: keys[0] ?? 'body',
  })
}
