/** An incremental check goes on from a signed state. It proves what came after, what stands now, and that nobody changed the state. */
import { expect, test } from 'vitest'
import { check, keepState, tamper } from '../../../../test/books.ts'
import { type World, world } from '../../../../test/world.ts'
import { one, sql } from '../../../base/db/sql.ts'
import { randomHex, Secret } from '../../../base/kernel/secrets.ts'
import { checkpointKeysOf } from '../../../base/signing-keys/checkpoint-keys.ts'
import { Keyring } from '../../../base/signing-keys/keyring.ts'
import { followOnce } from '../../../business/stats/follow.ts'
import { sealBooks } from '../../../money/ledger/seals/seal-books.ts'
import { reconcileTasks } from '../jobs.ts'
import { findOpenAlarms } from '../store.ts'
import { recentTroubles } from '../troubles.ts'

/** A link that was paid, in a state; `pay` pays it again. */
async function stage() {
  const w = await world()
  const [seller, payer] = [await w.user({ treasury: 20 }), await w.user({ treasury: 50 })]
  const cardOf = async (user: typeof seller) =>
    (await user.post('/api/issue', { purpose: 'test', limit_amount: 10 })).body.card
  const [shop, buyer] = [await cardOf(seller), await cardOf(payer)]
  const { body: link } = await seller.post('/api/paylinks', {
    ...{ card_id: shop.id, amount: 0.01, type: 'RECURRING', max_uses: 0 },
  })
  const pay = async () => {
    const paid = await payer.post(`/api/pay/${link.code}/settle`, {
      ...{ protocol: 'card', payer_card_id: buyer.id, payer_card_token: buyer.token },
    })
    expect(paid.status, paid.text).toBe(200)
  }
  await pay()
  const withdrawal = await seller.post('/api/withdraw', { amount: 2, to_address: payer.wallet })
  expect(withdrawal.status, withdrawal.text).toBeLessThan(300)
  await keepState(w)
  return { w, seller, pay }
}

const reportOf = ({ faults }: { faults: { check: string; fault: string }[] }): string =>
  faults.map(({ check, fault }) => `${check}: ${fault}`).join('\n')

const stateOf = (w: World) =>
  one<{ checkpoint: bigint }>(w.db.reader, sql`select checkpoint from verified_states`)

test('an incremental check walks what came since, and its sums are those of all', async () => {
  const { w, pay } = await stage()
  await using _w = w
  await pay()
  await pay()
  const whole = await check(w)
  const since = await check(w, { from: 'state' })
  expect(since).toEqual({
    ...whole,
    since: { checkpoint: (await stateOf(w))?.checkpoint, at: expect.any(Date), transfers: 2 },
  })
  expect(whole.since).toBeUndefined()
  expect(await check(w, { connections: 3, partSize: 1 })).toEqual(whole)
})

test('a state follows the books, and one that says little new is not written', async () => {
  const { w, pay } = await stage()
  await using _w = w
  const { checkpointKeys: keys } = w.services
  const first = await stateOf(w)
  await pay()
  await sealBooks(w.db, w.now(), { keys })
  // The follower of figures may still find out that a wallet paid itself.
  await check(w)
  expect(await stateOf(w)).toEqual(first)
  await followOnce(w.services, w.now())
  await check(w, { from: 'state' })
  expect(await stateOf(w), 'one transfer costs less to walk again').toEqual(first)
  await check(w)
  const second = await stateOf(w)
  expect(second?.checkpoint).toBeGreaterThan(first?.checkpoint ?? 0n)
  expect(await check(w, { from: 'state' })).toMatchObject({ faults: [], since: { transfers: 0 } })
})

const BEHIND: [what: string, statement: string, fault: RegExp][] = [
  [
    'a byte of a transfer',
    `update ledger_transfer_rows set created_at = created_at + interval '1 second' where kind = 'card_issue'`,
    /hash_chain: chain \d+, batch \d+: transfer trf_\w+ was altered/,
  ],
  [
    'the row of a withdrawal',
    `update withdrawals set amount = amount + 1, net_amount = net_amount + 1`,
    /\(withdrawal wd_\w+\) moved .*; its row requires/,
  ],
  [
    'the hash of a batch',
    `update ledger_batches set hash = sha256(hash) where seq = 1`,
    /batch \d+: a transfer was altered|does not follow/,
  ],
]

test.each(BEHIND)(
  'what was changed behind the state is found by the whole check alone: %s',
  async (_, statement, fault) => {
    const { w, pay } = await stage()
    await using _w = w
    await pay()
    await tamper(w.db, statement)
    expect(reportOf(await check(w, { from: 'state' }))).toBe('')
    expect(reportOf(await check(w))).toMatch(fault)
    expect(reportOf(await check(w, { connections: 2, partSize: 2 }))).toMatch(fault)
  },
)

test('a batch that is gone is missed, wherever a part begins', async () => {
  const { w, pay } = await stage()
  await using _w = w
  await pay()
  await tamper(w.db, `delete from ledger_batches where chain = 1 and seq = 2`)
  const whole = await check(w)
  expect(reportOf(whole)).toContain('hash_chain: chain 1, batch 2 is missing')
  const sorted = ({ faults }: typeof whole) => reportOf({ faults }).split('\n').sort()
  for (const partSize of [1, 2, 3, 100])
    expect(sorted(await check(w, { connections: 2, partSize })), `parts of ${partSize}`).toEqual(
      sorted(whole),
    )
})

const STANDING: [what: string, statement: string, fault: RegExp][] = [
  [
    'a balance',
    `update ledger_accounts set posted = posted + 1 where kind = 'treasury'`,
    /account_balance: account \d+ \(treasury 0x\w+\) shows \d+, its entries make \d+/,
  ],
  [
    'the limit of a card',
    `update cards set limit_amount = limit_amount + 1`,
    /seals: cards card_\w+ was changed|shows a limit of/,
  ],
  [
    'the head that the state ends with',
    `update ledger_batches b set hash = sha256(b.hash) from ledger_chains c where b.chain = c.id and b.seq = c.seq and c.id = 1`,
    /chain 1: batch \d+, which checkpoint \d+ sealed, is missing or was altered/,
  ],
]

test.each(STANDING)(
  'what stands now is checked whole, however old it is: %s',
  async (_, statement, fault) => {
    const { w } = await stage()
    await using _w = w
    await tamper(w.db, statement)
    expect(reportOf(await check(w, { from: 'state' }))).toMatch(fault)
  },
)

const FORGED: [what: string, statements: string[], fault: RegExp][] = [
  [
    'a sum of it',
    [
      `update verified_pages set content = replace(content, '"gained":10000000', '"gained":10000001') where tally = 'verify_sums'`,
    ],
    /has pages that were altered/,
  ],
  [
    'a page of it that is no JSON',
    [`update verified_pages set content = 'x'`],
    /has pages that were altered/,
  ],
  [
    'a page of it removed',
    [`delete from verified_pages where tally = 'verify_uses'`],
    /has pages that were altered/,
  ],
  [
    'the digest of its pages',
    [`update verified_states set digest = sha256(digest)`],
    /was forged or altered/,
  ],
  [
    'its transfers',
    [`update verified_states set transfers = transfers + 1`],
    /was forged or altered/,
  ],
  ['its MAC', [`update verified_states set mac = sha256(mac)`], /was forged or altered/],
  [
    'its checkpoint removed',
    [`delete from ledger_checkpoints where seq = (select checkpoint from verified_states)`],
    /follows a checkpoint that is gone/,
  ],
  [
    'its checkpoint forged',
    [
      `update ledger_checkpoints set seqs[1] = seqs[1] - 1 where seq = (select checkpoint from verified_states)`,
    ],
    /follows a checkpoint that was forged or altered/,
  ],
]

test.each(FORGED)(
  'a state is refused of which somebody changed %s',
  async (_, statements, fault) => {
    const { w, pay } = await stage()
    await using _w = w
    await pay()
    // Behind the state: only a check of everything sees it, so a refused state hides nothing.
    await tamper(
      w.db,
      ...statements,
      `update withdrawals set amount = amount + 1, net_amount = net_amount + 1`,
    )
    const checked = await check(w, { from: 'state' })
    expect(reportOf(checked)).toMatch(fault)
    expect(reportOf(checked)).toMatch(/its row requires/)
    expect(checked.since).toBeUndefined()
    expect(reportOf(await check(w, { from: 'state alone' }))).toMatch(fault)
  },
)

test('a state of a key that the service does not have is passed over', async () => {
  const { w } = await stage()
  await using _w = w
  const [mine] = w.services.checkpointKeys
  const [other] = checkpointKeysOf(new Keyring([new Secret(randomHex(32).slice(2))]))
  expect(await check(w, { from: 'state' })).toMatchObject({ since: {} })
  await w.db.write((tx) => sql`update verified_states set key_id = ${other.id}`.execute(tx))
  const { faults, since } = await check(w, { from: 'state' })
  expect({ faults, since }).toEqual({ faults: [], since: undefined })
  expect(mine.id).not.toBe(other.id)
})

// A page is read, a payment is posted, the next page is read: nothing of this is a fault.
test('payments during a check are no fault, in parts or from a state', async () => {
  const { w, pay } = await stage()
  await using _w = w
  for (const how of [
    { pageSize: 1 },
    { connections: 2, partSize: 1, pageSize: 1 },
    { from: 'state', pageSize: 1 },
  ] as const) {
    let left = 6
    const rest = async () => {
      if (left-- > 0) await pay()
    }
    await pay()
    expect((await check(w, { ...how, rest })).faults).toEqual([])
    expect(left, 'payments were made meanwhile').toBeLessThanOrEqual(0)
    await followOnce(w.services, w.now())
    await sealBooks(w.db, w.now(), { keys: w.services.checkpointKeys })
  }
  expect((await check(w)).faults).toEqual([])
})

test('a state that another check replaces is no fault', async () => {
  const { w, pay } = await stage()
  await using _w = w
  for (let round = 0; round < 3; round++) {
    await pay()
    await followOnce(w.services, w.now())
    await sealBooks(w.db, w.now(), { keys: w.services.checkpointKeys })
    const found = await Promise.all([
      check(w),
      ...[1, 2, 3].map(() => check(w, { from: 'state alone' })),
    ])
    expect(found.map(({ faults }) => faults)).toEqual([[], [], [], []])
  }
})

test('on a day without a whole check no alarm of one ends, and nothing behind the state is found', async () => {
  const { w } = await stage()
  await using _w = w
  const task = reconcileTasks.find(({ name }) => name === 'verify_ledger')
  const day = 86_400_000
  const runOn = (services: typeof w.services, days: number) =>
    task?.handle(services, {}, new Date(days * day))
  const weekly = { ...w.services, settings: { ...w.services.settings, verifyDays: 7 } }
  const openAlarms = async () =>
    (await findOpenAlarms(w.db.reader)).filter(({ kind }) => kind === 'books').length
  await tamper(w.db, `update withdrawals set amount = amount + 1, net_amount = net_amount + 1`)
  await runOn(weekly, 7_001)
  expect(await openAlarms()).toBe(0)
  await runOn(weekly, 7_007)
  expect(await openAlarms()).toBe(1)
  await tamper(w.db, `update withdrawals set amount = amount - 1, net_amount = net_amount - 1`)
  await runOn(weekly, 7_008)
  expect(await openAlarms()).toBe(1)
  await runOn(w.services, 7_009)
  expect(await openAlarms()).toBe(0)
})

test('a job finds what was changed since the state, and says nothing that an alarm says already', async () => {
  const { w } = await stage()
  await using _w = w
  expect(await recentTroubles(w.services)).toEqual([])
  await tamper(w.db, `update cards set spent = spent + 1`)
  const [trouble] = await recentTroubles(w.services)
  expect(trouble).toMatchObject({ kind: 'books', subject: 'counters' })
  await w.runJobs({ daily: true })
  expect(await recentTroubles(w.services)).toEqual([])
})
