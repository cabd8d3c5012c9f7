import { Type } from 'typebox'
import { checkKeyAmount } from '../../api/http/caller.ts'
import {
  AmountIn,
  AmountOut,
  CursorQuery,
  checkAfter,
  HasMore,
  PAGE_DEFAULT,
  pageOf,
  Success,
} from '../../api/http/fields.ts'
import { keyRoute, type Route } from '../../api/http/route.ts'
import { reach } from '../../base/kernel/fault-points.ts'
import { parsePositiveAmount, toNumber } from '../../base/kernel/money.ts'
import { Problem } from '../../base/kernel/problem.ts'
import { hasEntry, listEntries } from './store.ts'
import { meterAsset, readMeter, readSchedule } from './terms.ts'
import { topUpFromTreasury } from './top-up.ts'
import { EntryBody, entryBody, FeesBody, feesBody, MeterBody, meterBody } from './view.ts'

const TAG = 'Fees'

const fees = keyRoute({
  method: 'GET',
  path: '/api/fees',
  tag: TAG,
  summary: 'Your fee meter, the quota of the month, and your fees',
  description:
    'DIRECT settlements within the quota of your plan are free; each one above costs `overage_fee`, which the prepaid meter pays. With the quota used up and an empty meter the gate closes: your DIRECT links cannot be paid.',
  scope: 'fees:read',
  response: FeesBody,
  attack: 'none',
  costs: { statements: 1_300 },
  errors: [],
  handle: async ({ caller: { walletAddress }, at, services: { db, chain, settings } }) => {
    const asset = meterAsset(chain)
    const [meter, schedule] = await Promise.all([
      readMeter(db.reader, at, { walletAddress, asset }),
      readSchedule(db.reader, at, { walletAddress, standard: settings.fee }),
    ])
    return feesBody({ meter, schedule }, asset)
  },
})

const topUp = keyRoute({
  method: 'POST',
  path: '/api/fees/topup',
  tag: TAG,
  summary: 'Top the fee meter up from your treasury balance',
  description: 'Costs no fee. Fees that are owed are paid from it first, the oldest before others.',
  scope: 'fees:write',
  body: Type.Object({ amount: AmountIn }, { additionalProperties: false }),
  response: Type.Object({ success: Success, added: AmountOut, meter: MeterBody }),
  attack: 'none',
  costs: { statements: 1_400 },
  errors: ['invalid_amount', 'insufficient_balance'],
  handle: async ({ body, caller, at, services, write }) => {
    const asset = meterAsset(services.chain)
    if (caller.cardIds !== null)
      throw new Problem('forbidden_scope', 'A key restricted to cards cannot top the meter up.')
    const amount = parsePositiveAmount(body.amount, asset.decimals)
    checkKeyAmount(caller, amount)
    const { walletAddress } = caller
    const answer = await write(async (tx) => {
      const left = await topUpFromTreasury(tx, at, { walletAddress, asset, amount })
      reach('meter.before_topup')
      return {
        success: true,
        added: toNumber(amount, asset.decimals),
        meter: meterBody(left, asset),
      }
    })
    reach('meter.after_topup')
    return answer
  },
})

const entries = keyRoute({
  method: 'GET',
  path: '/api/fees/entries',
  tag: TAG,
  summary: 'Fees and top-ups of the meter, newest first',
  description:
    'A fee is FREE, PAID, OWED, or REVERSED if a reorganization of the chain took its settlement.',
  scope: 'fees:read',
  query: Type.Object(CursorQuery, { additionalProperties: false }),
  response: Type.Object({
    entries: Type.Array(EntryBody, { description: 'Fees and top-ups, newest first' }),
    has_more: HasMore,
  }),
  attack: 'none',
  costs: { statements: 300 },
  errors: [],
  handle: async ({ query, caller: { walletAddress }, services: { db, chain } }) => {
    const limit = query.limit ?? PAGE_DEFAULT
    await checkAfter(query.after, (id) => hasEntry(db.reader, { id, walletAddress }))
    const found = await listEntries(db.reader, walletAddress, { after: query.after, limit })
    const { rows, hasMore } = pageOf(found, limit)
    return {
      entries: rows.map((entry) => entryBody(entry, meterAsset(chain))),
      has_more: hasMore,
    }
  },
})

export const feeRoutes: Route[] = [fees, topUp, entries]
