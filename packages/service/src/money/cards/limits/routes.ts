import { type Static, Type } from 'typebox'
import { AmountIn, Success } from '../../../api/http/fields.ts'
import { keyRoute, type Route } from '../../../api/http/route.ts'
import type { Asset } from '../../../base/kernel/assets.ts'
import { CARD_LIMITS, perLimit } from '../../../base/kernel/card-limits.ts'
import { parsePositiveAmount } from '../../../base/kernel/money.ts'
import { defaultAsset } from '../../../chain/client/rails.ts'
import type { CapLimits } from '../caps/cap.ts'
import { nullable, PER_MINUTE, PerMinuteIn, ROLLING } from '../rules/pace.ts'
import { changeLimits, readLimits } from './change.ts'
import { LimitsBody, limitsBody } from './view.ts'

const LimitsIn = Type.Object(
  {
    ...perLimit('name', ({ description }) =>
      nullable(AmountIn, description.replace('the card', 'all its cards')),
    ),
    rolling_30d_limit: nullable(AmountIn, ROLLING),
    max_payments_per_minute: nullable(PerMinuteIn, PER_MINUTE),
  },
  { additionalProperties: false, title: 'LimitsIn' },
)
const LimitsAnswer = Type.Object(
  { success: Success, limits: LimitsBody },
  { title: 'LimitsAnswer' },
)
const KeyParams = Type.Object({ hash: Type.String({ maxLength: 64, description: 'key_hash' }) })

function readChange(body: Static<typeof LimitsIn>, { decimals }: Asset): Partial<CapLimits> {
  const read = (value: number | string | null, name: string) =>
    value === null ? null : parsePositiveAmount(value, decimals, name)
  const change: Partial<CapLimits> = {}
  for (const { field, name } of CARD_LIMITS) {
    const value = body[name]
    if (value !== undefined) change[field] = read(value, name)
  }
  const { rolling_30d_limit: rolling, max_payments_per_minute: perMinute } = body
  if (rolling !== undefined) change.rollingLimit = read(rolling, 'rolling_30d_limit')
  if (perMinute !== undefined) change.maxPaymentsPerMinute = perMinute
  return change
}

const OF_KEY =
  'They count what leaves the cards that the key names, and those below them, whoever pays with them. They stay when the key is revoked: remove them with null.'
const OF_WALLET =
  'They count what leaves all cards of the wallet in USDC, whichever key or token pays, beside the limits of each card.'
const CHANGED =
  'A missing field changes nothing; null removes a limit. A limit that is set again finds what was used. Needs a full key or a session.'

const reading = (of: { path: string; summary: string; description: string }) => ({
  ...of,
  method: 'GET' as const,
  tag: 'Cards' as const,
  scope: 'cards:read' as const,
  response: LimitsAnswer,
  attack: 'none' as const,
  costs: { statements: 300 },
})
const changing = (of: { path: string; summary: string; description: string }) => ({
  ...of,
  method: 'PATCH' as const,
  tag: 'Cards' as const,
  scope: 'controls:write' as const,
  body: LimitsIn,
  response: LimitsAnswer,
  attack: 'open' as const,
  costs: { statements: 1_300, rows: 300 },
})

const walletLimits = keyRoute({
  ...reading({ path: '/api/limits', summary: 'The limits over all cards', description: OF_WALLET }),
  errors: [],
  handle: async ({ caller, at, services }) => ({
    success: true,
    limits: limitsBody(
      await readLimits(services.db.reader, at, { caller, keyHash: undefined }),
      at,
      defaultAsset(services.chain),
    ),
  }),
})
const changeWalletLimits = keyRoute({
  ...changing({
    path: '/api/limits',
    summary: 'Limit what leaves all cards',
    description: `${OF_WALLET} ${CHANGED}`,
  }),
  errors: ['invalid_amount'],
  handle: async ({ body, caller, at, services, write }) => {
    const asset = defaultAsset(services.chain)
    const change = readChange(body, asset)
    return write(async (tx) => {
      const cap = await changeLimits(tx, at, { caller, keyHash: undefined, change, asset })
      return { success: true, limits: limitsBody(cap, at, asset) }
    })
  },
})
const keyLimits = keyRoute({
  ...reading({
    path: '/api/keys/{hash}/limits',
    summary: 'The limits over the cards of a key',
    description: OF_KEY,
  }),
  params: KeyParams,
  errors: ['not_found'],
  handle: async ({ params, caller, at, services }) => ({
    success: true,
    limits: limitsBody(
      await readLimits(services.db.reader, at, { caller, keyHash: params.hash }),
      at,
      defaultAsset(services.chain),
    ),
  }),
})
const changeKeyLimits = keyRoute({
  ...changing({
    path: '/api/keys/{hash}/limits',
    summary: 'Limit what leaves the cards of a key',
    description: `${OF_KEY} ${CHANGED}`,
  }),
  params: KeyParams,
  errors: ['invalid_amount', 'not_found', 'invalid_state'],
  handle: async ({ params, body, caller, at, services, write }) => {
    const asset = defaultAsset(services.chain)
    const change = readChange(body, asset)
    return write(async (tx) => {
      const cap = await changeLimits(tx, at, { caller, keyHash: params.hash, change, asset })
      return { success: true, limits: limitsBody(cap, at, asset) }
    })
  },
})

export const capRoutes: Route[] = [walletLimits, changeWalletLimits, keyLimits, changeKeyLimits]
