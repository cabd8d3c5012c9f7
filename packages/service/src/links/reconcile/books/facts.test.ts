/** A settlement by card is its own transfer: verify names each of its bytes that was changed, and what was added or removed. */
import { expect, test } from 'vitest'
import {
  directMandate,
  openShop,
  settleBody,
  settleWith,
  termsFor,
} from '../../../../test/actors/ap2/shop.ts'
import { keepState, reportsOf, tamper } from '../../../../test/books.ts'
import { world } from '../../../../test/world.ts'
import { sealBooks } from '../../../money/ledger/seals/seal-books.ts'

const ALTERED = /facts: settlement stl_\w+, or its mandate, was altered/
const OTHER_BATCH = /hash_chain: chain \d+, batch \d+: a transfer was altered, added or removed/
const copy = (set: string) => [
  `create temp table one as select * from settlements`,
  `update one set id = 'stl_' || repeat('z', 26), mandate_id = 'copy', ${set}`,
  `insert into settlements select * from one`,
]
const byte = `set_byte(mandate, 40, 255 - get_byte(mandate, 40))`

const resealed = [
  `update settlements s set digest = settlement_fact(s)`,
  `update ledger_batches b set hash = sha256(b.previous || s.digest) from settlements s where b.id = s.batch`,
]

const tamperings: [what: string, statements: string[], fault: RegExp][] = [
  ['the amount', [`update settlements set amount = amount + 1`], ALTERED],
  ['a byte of the mandate', [`update settlements set mandate = ${byte}`], ALTERED],
  ['what the policy saw', [`update settlements set decided_on = '{}'`], ALTERED],
  [
    'the time',
    [
      `update settlements set created_at = created_at - interval '1 millisecond', settled_at = settled_at - interval '1 millisecond'`,
    ],
    ALTERED,
  ],
  [
    'the account that was paid',
    [`update settlements set receiver_account = (select min(id) from ledger_accounts)`],
    ALTERED,
  ],
  ['the digest', [`update settlements set digest = sha256(digest)`], ALTERED],
  [
    'the digest, made to fit another agreement',
    [
      `update settlements set agreement_id = 'agr_forged'`,
      `update settlements s set digest = settlement_fact(s)`,
    ],
    OTHER_BATCH,
  ],
  [
    'the account that was paid, hash for hash',
    [`update settlements set receiver_account = fees_account`, ...resealed],
    /explained: transfer trf_\w+ \(settlement stl_\w+\) moved .*; its row requires /,
  ],
  [
    'an account to one that is not there, hash for hash',
    [`update settlements set payer_account = 999999`, ...resealed],
    /known_accounts: account 999999 does not exist/,
  ],
  ['that it was removed', [`delete from settlements`], OTHER_BATCH],
  ['one more in its batch', copy('amount = amount'), OTHER_BATCH],
  [
    'one more in a batch of its own',
    copy('batch = 999999'),
    /hash_chain: transfer trf_z+ is in no sealed batch/,
  ],
  [
    'a second transfer of it',
    [
      `insert into ledger_transfer_rows (id, kind, ref, digest, accounts, amounts, batch, created_at)
        select 'trf_' || repeat('z', 26), kind, ref, digest, accounts, amounts, batch, created_at from settlement_transfers`,
    ],
    /explained: transfer trf_z+ \(settlement stl_\w+\) has no row that explains it/,
  ],
  [
    'the hash of its batch',
    [`update ledger_batches b set hash = sha256(hash) from settlements s where b.id = s.batch`],
    OTHER_BATCH,
  ],
]

async function stage() {
  const w = await world()
  await keepState(w)
  const shop = await openShop(w)
  const closed = await directMandate(termsFor(w, shop.link, shop.card), shop.userKey)
  const paid = await settleWith(shop.payer, settleBody(shop, closed))
  expect(paid.status, paid.text).toBe(201)
  expect((await sealBooks(w.db, w.now(), { keys: w.services.checkpointKeys })).faults).toEqual([])
  return w
}

test.each(tamperings)(
  'verify names what was changed of a settlement: %s',
  async (_, statements, fault) => {
    await using w = await stage()
    await tamper(w.db, ...statements)
    for (const report of await reportsOf(w)) expect(report).toMatch(fault)
  },
)
