/** A settlement by card is its own transfer: the database refuses one that the books could not bear. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issue, open, payWith } from '../../../test/actors/attack-kit.ts'
import { type World, world } from '../../../test/world.ts'
import { all, sql } from '../../base/db/sql.ts'
import { post } from '../ledger/post.ts'

let w: World
let id: string
beforeAll(async () => {
  w = await world()
  const [seller, buyer] = await Promise.all([w.user({ treasury: 20 }), w.user({ treasury: 20 })])
  const { code } = await open(seller, await issue(seller, 5), { amount: 2 })
  expect((await payWith(w, code, await issue(buyer, 5))).status).toBe(200)
  const [row] = await all(w.db.reader, sql<{ id: string }>`select id from settlements`)
  id = row?.id ?? ''
})
afterAll(async () => {
  expect(await w.faults()).toEqual([])
  await w[Symbol.asyncDispose]()
})

/** Inserts the settlement once more under another id, in a batch of its own, with these columns. */
const copy = (set: string) =>
  w.write((tx) =>
    sql`insert into settlements select r.* from unnest('{y,z}'::text[]) n (letter), settlements s,
      jsonb_populate_record(s, jsonb_build_object('id', 'stl_' || repeat(n.letter, 26), 'batch',
        (select nextval('ledger_batch_ids')), 'mandate_id', null) || ${sql.raw(set)}) r where s.id = ${id}`.execute(
      tx,
    ),
  )
const other = `(select min(id) from ledger_accounts where id not in (s.payer_account, s.receiver_account, s.fees_account))`

test.each([
  [
    'another account that pays',
    `jsonb_build_object('payer_account', ${other})`,
    'its parties have',
  ],
  ['another that is paid', `jsonb_build_object('receiver_account', ${other})`, 'its parties have'],
  ['another for the fees', `jsonb_build_object('fees_account', ${other})`, 'its parties have'],
  ['one that does not exist', `jsonb_build_object('receiver_account', -1)`, 'its parties have'],
  ['accounts of another asset', `'{"asset": "EURC"}'`, 'its parties have'],
  ['no account for the fees', `'{"fees_account": null}'`, 'whole_where_by_card'],
  ['no batch', `'{"batch": null}'`, 'whole_where_by_card'],
  [
    'a batch that was posted',
    `jsonb_build_object('batch', s.batch, 'amount', 100000)`,
    'ledger_batches_pkey',
  ],
  ['two batches', `jsonb_build_object('batch', ascii(n.letter) + 1000)`, 'several batches'],
  ['more than its payer has', `'{"amount": 3000000}'`, 'available_not_negative'],
])('the database refuses a settlement with %s', async (_, set, refusal) => {
  await expect(copy(set)).rejects.toThrow(refusal)
})

test('a settlement is posted once: not by a transfer beside it, and not after one', async () => {
  const [lines] = await all<{ accounts: bigint[] }>(
    w.db.reader,
    sql`select accounts from ledger_transfers where kind = 'settlement' and ref = ${id}`,
  )
  const [from = 0n, to = 0n] = lines?.accounts.map(BigInt) ?? []
  const entries = [
    { account: to, amount: -1n },
    { account: from, amount: 1n },
  ]
  const move = (ref: string) =>
    w.write((tx) => post(tx, w.now(), [{ kind: 'settlement', ref, entries }]))
  await expect(move(id)).rejects.toThrow('is its own transfer')
  await expect(
    w.write(async (tx) => {
      await post(tx, w.now(), [{ kind: 'settlement', ref: `stl_${'y'.repeat(26)}`, entries }])
      await sql`insert into settlements select r.* from settlements s,
        jsonb_populate_record(s, jsonb_build_object('id', 'stl_' || repeat('y', 26), 'batch',
          nextval('ledger_batch_ids'))) r where s.id = ${id}`.execute(tx)
    }),
  ).rejects.toThrow('was posted before')
})

test('a transfer that takes another back names one that was posted', async () => {
  const [paid] = await all<{ id: string; from: bigint; to: bigint }>(
    w.db.reader,
    sql`select 'trf_' || substr(id, 5) as id, payer_account as from, receiver_account as to from settlements`,
  )
  const { id: transfer, from, to } = paid ?? { id: '', from: 0n, to: 0n }
  const back = (reverses: string, giver = to, taker = from) =>
    w.write(async (tx) => {
      await post(tx, w.now(), [
        {
          kind: 'refund',
          ref: 'r',
          reverses: reverses as `trf_${string}`,
          entries: [
            { account: giver, amount: -1n },
            { account: taker, amount: 1n },
          ],
        },
      ])
      throw new Error('was posted')
    })
  await expect(back(`trf_${'z'.repeat(26)}`)).rejects.toThrow('which does not exist')
  await expect(back(`stl_${transfer.slice(4)}`)).rejects.toThrow('which does not exist')
  await expect(back(transfer, from, to)).rejects.toThrow('gives to others than the payer')
  await expect(back(transfer)).rejects.toThrow('was posted')
})
