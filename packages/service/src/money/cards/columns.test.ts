import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../../test/until.ts'
import { type User, type World, world } from '../../../test/world.ts'
import { all, type RawBuilder, run, send, sql } from '../../base/db/sql.ts'
import { columnOf } from '../../base/db/values.ts'
import { CARD_LIMITS, perLimit } from '../../base/kernel/card-limits.ts'
import { amount, minus, plus } from '../../base/kernel/money.ts'
import { CARD_COLUMNS, CARD_FIELDS, type CardField } from './card.ts'
import { decide, inputsOf, type Spend } from './policy.ts'
import { countMoneyStatement, findCard, readCards, type SeenCard } from './store.ts'

type FieldThat<How> = {
  [F in CardField]: (typeof CARD_COLUMNS)[F] extends How ? F : never
}[CardField]
type Change = RawBuilder<unknown>

let w: World
let user: User
beforeAll(async () => {
  w = await world()
  user = await w.user()
})
afterAll(() => w[Symbol.asyncDispose]())

const change = (id: string, to: Change): Promise<unknown> =>
  w.write((tx) => run(tx, sql`update cards set ${to} where id = ${id}`))

test('every column of the table is in the list, and the other way round', async () => {
  const columns = await all<{ name: string }>(
    w.db.reader,
    sql`select column_name as name from information_schema.columns where table_name = 'cards'`,
  )
  expect(CARD_FIELDS.map(columnOf).sort()).toEqual(columns.map(({ name }) => name).sort())
})

test('the policy reads no column that a payment does not compare or the database does not limit', async () => {
  const { id } = await user.card({
    ...perLimit('name', () => 4),
    max_transaction: 3,
    mcc_locks: '5734',
    allowed_merchants: ['shop.example'],
    single_use: true,
  })
  const card = await findCard(w.db.reader, id)
  if (!card) throw new Error('the card was issued')
  const read = new Set<string>()
  // A spread asks for a property's descriptor first, and decides nothing.
  let spread: string | symbol | undefined
  const watched = (over: Partial<typeof card>) =>
    new Proxy(
      { ...card, ...over },
      {
        getOwnPropertyDescriptor(target, name) {
          spread = name
          return Reflect.getOwnPropertyDescriptor(target, name)
        },
        get(target, name) {
          if (spread !== name) read.add(String(name))
          spread = undefined
          return Reflect.get(target, name)
        },
      },
    )
  const spend: Spend = {
    amount: amount(1n),
    merchants: ['shop.example'],
    mcc: '5734',
    rail: 'card',
  }
  for (const over of [
    {},
    { status: 'FROZEN' as const },
    { singleUse: false },
    perLimit('window', () => '2000'),
  ]) {
    decide(watched(over), spend, w.now())
    inputsOf(watched(over), w.now())
  }
  const decides = (name: string): boolean =>
    name === 'available' || CARD_COLUMNS[name as CardField] !== 'ignored'
  expect([...read].filter((name) => !decides(name))).toEqual([])
  // Otherwise the test could pass by watching nothing.
  expect(read).toContain('maxTransaction')
  expect([...read]).toEqual(expect.arrayContaining(Object.keys(perLimit('used', () => 0))))
})

const COMPARED: Record<FieldThat<'compared'>, Change> = {
  // An owner changes with the token and the count of owners only.
  walletAddress: sql`wallet_address = '0x000000000000000000000000000000000000dEaD', owner_no = owner_no + 1,
    keys_version = keys_version + 1, token_hash = sha256(token_hash)`,
  ownerNo: sql`owner_no = owner_no + 1`,
  tokenHash: sql`token_hash = sha256(token_hash)`,
  status: sql`status = 'FROZEN'`,
  singleUse: sql`single_use = true`,
  mccLocks: sql`mcc_locks = '5734'`,
  allowedMerchants: sql`allowed_merchants = '{shop.example}'`,
  maxTransaction: sql`max_transaction = 1`,
  rollingLimit: sql`rolling_limit = 50000000`,
  maxPaymentsPerMinute: sql`max_payments_per_minute = 50`,
  maxLikePayments: sql`max_like_payments = 1`,
  caps: sql`caps = '{0x000000000000000000000000000000000000dEaD}'`,
  approvalAbove: sql`approval_above = 1`,
  approvalFirstMerchant: sql`approval_first_merchant = true`,
  grantsUntil: sql`grants_until = now()`,
  draft: sql`draft = '{"id": "drf_1"}'`,
  ...perLimit('field', ({ name }) => sql.raw(`${name} = 1`)),
  ...perLimit('window', ({ window }) =>
    sql.raw(`${columnOf(window)} = translate(${columnOf(window)}, '2', '1')`),
  ),
  ...perLimit('cap', ({ cap }) => sql.raw(`${columnOf(cap)} = 5000000`)),
  countedTo: sql`counted_to = null`,
  expiresAt: sql`expires_at = now()`,
  keysVersion: sql`keys_version = keys_version + 1`,
}

/** The number of decisions on a payment that reads the card, if the card changes before the payment is written. */
async function decisionsAround(to: Change): Promise<number> {
  const { id } = await user.card()
  let decisions = 0
  await w.write(async (tx) => {
    decisions++
    const terms = (await readCards(tx, [id])).get(id)?.terms
    if (decisions === 1) await change(id, to)
    send(tx, countMoneyStatement([{ id, spent: 1n, received: 0n, terms }]))
  })
  return decisions
}

test.each(Object.entries(COMPARED))(
  'a payment is decided again if %s has changed',
  async (_, to) => {
    expect(await decisionsAround(to)).toBe(2)
  },
)

const LIMITED: Record<FieldThat<'limited'> | 'available', (card: SeenCard) => Partial<SeenCard>> = {
  limitAmount: (card) => ({ limitAmount: plus(card.limitAmount, amount(1n)) }),
  spent: (card) => ({ spent: plus(card.spent, amount(1n)) }),
  held: (card) => ({ held: plus(card.held, amount(1n)) }),
  ...perLimit('used', ({ used }) => (card) => ({ [used]: plus(card[used], amount(1n)) })),
  delegated: (card) => ({ delegated: plus(card.delegated, amount(1n)) }),
  available: (card) => ({ available: minus(card.available, amount(1n)) }),
}

test.each(Object.entries(LIMITED))(
  'a payment that was decided on a remembered card is refused if %s differs',
  async (_, change) => {
    const { id } = await user.card()
    const card = (await w.write((tx) => readCards(tx, [id]))).get(id)
    if (!card) throw new Error('the card was issued')
    const pay = (seen: SeenCard) =>
      w.write(async (tx) =>
        send(tx, countMoneyStatement([{ id, spent: 1n, received: 0n, terms: seen.terms, seen }])),
      )
    await expect(pay({ ...card, ...change(card) })).rejects.toThrow('has changed')
    await pay(card)
  },
)

const IGNORED: Partial<Record<FieldThat<'ignored'>, Change>> = {
  received: sql`received = received + 1`,
  purpose: sql`purpose = 'another'`,
  metadata: sql`metadata = '{"a": "b"}'`,
}

test.each(Object.entries(IGNORED))('a payment stands although %s has changed', async (_, to) => {
  expect(await decisionsAround(to)).toBe(1)
})

const FIXED: Record<FieldThat<'fixed'>, Change> = {
  id: sql`id = 'card_another'`,
  kind: sql`kind = 'autopay', token_hash = null, token_hint = ''`,
  settlementMode: sql`settlement_mode = 'DIRECT'`,
  ancestors: sql`ancestors = '{card_x}'`,
}

test.each(Object.entries(FIXED))('the database refuses a change of %s', async (_, to) => {
  const { id } = await user.card()
  await expect(change(id, to)).rejects.toThrow('cards is insert only')
})

/** Each change that makes a payment of 1 USDC impossible, and the refusal that the payer gets. */
const REFUSED: [field: FieldThat<'compared' | 'limited'>, to: Change, code: string][] = [
  ['status', sql`status = 'FROZEN'`, 'card_frozen'],
  ['tokenHash', sql`token_hash = sha256(token_hash)`, 'invalid_card_token'],
  ['mccLocks', sql`mcc_locks = '5734'`, 'mcc_blocked'],
  ['allowedMerchants', sql`allowed_merchants = '{shop.example}'`, 'merchant_not_allowed'],
  ['maxTransaction', sql`max_transaction = 1`, 'max_transaction_exceeded'],
  ['approvalAbove', sql`approval_above = 1`, 'approval_required'],
  ['approvalFirstMerchant', sql`approval_first_merchant = true`, 'approval_required'],
  ...CARD_LIMITS.flatMap(({ field, name, cap, used, usedName, code }): typeof REFUSED => [
    [field, sql.raw(`${name} = 1, ${columnOf(cap)} = 1`), code],
    [used, sql.raw(`${name} = 1000000, ${columnOf(cap)} = 1000000, ${usedName} = 1`), code],
  ]),
  ['expiresAt', sql`expires_at = '2001-01-01'`, 'card_expired'],
  ['limitAmount', sql`limit_amount = 999999`, 'limit_exceeded'],
  ['spent', sql`spent = limit_amount`, 'limit_exceeded'],
  ['held', sql`held = limit_amount`, 'limit_exceeded'],
  ['delegated', sql`delegated = limit_amount`, 'limit_exceeded'],
]

test.each(REFUSED)('a payment under way is refused once %s forbids it', async (_, to, expected) => {
  const shop = await user.card()
  const order = { card_id: shop.id, amount: 1, accepted_protocols: ['card'] }
  const { code } = (await user.post('/api/paylinks', order)).body
  const card = await user.card()
  const body = { protocol: 'card', payer_card_id: card.id, payer_card_token: card.token }
  let paying: ReturnType<World['call']> | undefined
  await w.write(async (tx) => {
    // A payment locks its link before its card; by then it has been decided.
    await run(tx, sql`select from pay_links where code = ${code} for update`)
    paying = w.call('POST', `/api/pay/${code}/settle`, body)
    await untilWaiting()
    await run(tx, sql`update cards set ${to} where id = ${card.id}`)
  })
  const paid = await paying
  expect(paid?.body.code, paid?.text).toBe(expected)
})

/** Waits until a statement of this database waits for a lock. */
async function untilWaiting(): Promise<void> {
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(
    () => all(w.db.reader, waiting),
    ({ length }) => length > 0,
    { everyMs: 5 },
  )
}
