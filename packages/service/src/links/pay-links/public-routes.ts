import { Type } from 'typebox'
import { CodeParam, isoOrNull, NullableTimestamp, OneOf } from '../../api/http/fields.ts'
import { publicRoute, type Route } from '../../api/http/route.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { checkOffered } from '../direct/gate.ts'
import { readSeen, SeenBody, seenBody } from '../link/arrivals/seen.ts'
import { mustFindLink, statusAt } from '../link/link.ts'
import { LINK_STATUSES, type PayLink } from '../link/store.ts'
import { PayLinkBody, payLinkBody, ResolveBody, resolveBody } from '../link/view.ts'
import { Ap2Block, ap2Block } from './methods/ap2/offer.ts'

const get = publicRoute({
  method: 'GET',
  path: '/api/paylinks/{code}',
  isOpenToSites: true,
  tag: 'Pay links',
  summary: 'Public details of a pay link',
  description: 'The public facts of the link.',
  params: CodeParam,
  response: Type.Object({ ...PayLinkBody.properties, ap2: Ap2Block }),
  attack: 'none',
  costs: { statements: 100 },
  errors: ['not_found'],
  handle: async ({ params, at, services }) => {
    const link = await mustFindLink(services, params.code)
    const [shown, ap2] = await Promise.all([
      payLinkBody(services, at, link),
      ap2Block(services, at, link),
    ])
    return { ...shown, ap2 }
  },
})

const status = publicRoute({
  method: 'GET',
  path: '/api/paylinks/{code}/status',
  isOpenToSites: true,
  tag: 'Pay links',
  summary: 'Whether a pay link has been paid',
  description:
    'For pages that wait for a payment. A link that is used up answers 410 with the same fields.',
  params: CodeParam,
  response: Type.Object({
    status: OneOf(LINK_STATUSES, 'State of the pay link'),
    confirmed_at: NullableTimestamp('When the payment was confirmed'),
    seen: SeenBody,
    seconds_left: Type.Optional(
      Type.Integer({
        description:
          'Until an ACTIVE link ends, by the clock of the service; only where it has an end',
      }),
    ),
  }),
  attack: 'none',
  costs: { statements: 100 },
  errors: ['not_found', 'pay_link_completed'],
  handle: async ({ params, at, services }) => {
    const link = await mustFindLink(services, params.code)
    const shown = {
      status: statusAt(link, at),
      confirmed_at: isoOrNull(link.confirmedAt),
      seen: seenBody(services, { link, seen: await readSeen(services, link) }),
      ...secondsLeft(link, at),
    }
    if (shown.status === 'COMPLETED')
      throw new Problem(
        'pay_link_completed',
        'The pay link has been paid and takes no more payments.',
        { extra: shown },
      )
    return shown
  },
})

const secondsLeft = (link: PayLink, at: Date): { seconds_left?: number } =>
  link.expiresAt !== null && statusAt(link, at) === 'ACTIVE'
    ? { seconds_left: Math.ceil((link.expiresAt.getTime() - at.getTime()) / 1000) }
    : {}

const resolve = publicRoute({
  method: 'GET',
  path: '/api/pay/{code}/resolve',
  isOpenToSites: true,
  tag: 'Pay links',
  summary: 'Resolve a pay link for payment processing',
  description:
    'The amount to pay, and the ways to pay it. An expired link answers 410. A DIRECT link whose seller has no plan for another payment answers 402.',
  params: CodeParam,
  response: ResolveBody,
  attack: 'none',
  costs: { statements: 700 },
  errors: ['not_found', 'pay_link_expired', 'no_active_plan'],
  handle: async ({ params, at, services }) => {
    const link = await mustFindLink(services, params.code)
    if (statusAt(link, at) === 'EXPIRED')
      throw new Problem(
        'pay_link_expired',
        'The pay link has expired. Ask the seller for a new one.',
        {
          extra: { type: 'receive', status: 'EXPIRED' },
        },
      )
    await checkOffered(services, at, link)
    return resolveBody(services, at, link)
  },
})

export const publicLinkRoutes: Route[] = [get, status, resolve]
